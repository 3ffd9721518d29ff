(** Steps of refutations: how lemmas are proved.  No axioms. *)
From Coq Require Import ZArith Lia List Bool Zeuclid Decidable Psatz Ring.
From Symview Require Import Definitions.
Import ListNotations.
Open Scope Z_scope.

(** * What defines a quotient, for every divisor *)
Lemma sv_mod a b : a mod b = a - b * (a / b).
Proof. destruct (Z.eq_dec b 0) as [->|H]; [rewrite Zmod_0_r; lia|rewrite Z.mod_eq; auto]. Qed.
Lemma sv_rem a b : Z.rem a b = a - b * Z.quot a b.
Proof. pose proof (Z.quot_rem' a b); lia. Qed.
Lemma sv_emod a b : ZEuclid.modulo a b = a - b * ZEuclid.div a b.
Proof.
  unfold ZEuclid.modulo, ZEuclid.div; rewrite sv_mod, Z.mul_assoc.
  assert (b * Z.sgn b = Z.abs b) as -> by (destruct b; simpl; lia); reflexivity.
Qed.
Lemma sv_floor a b :
  b = 0 \/ (0 <= a - b * (a / b) /\ a - b * (a / b) < b) \/ (a - b * (a / b) <= 0 /\ b < a - b * (a / b)).
Proof.
  rewrite <- sv_mod; destruct (Z.lt_trichotomy b 0) as [H|[H|H]]; auto.
  - right; right; pose proof (Z.mod_neg_bound a b H); lia.
  - right; left; apply Z.mod_pos_bound; lia.
Qed.
Lemma sv_trunc a b :
  b = 0 \/ (0 <= a /\ 0 <= a - b * Z.quot a b /\ a - b * Z.quot a b < Z.abs b)
        \/ (a <= 0 /\ a - b * Z.quot a b <= 0 /\ - Z.abs b < a - b * Z.quot a b).
Proof.
  rewrite <- sv_rem; destruct (Z.eq_dec b 0) as [|N]; [auto|right].
  destruct (Z.le_ge_cases 0 a); [left|right]; split; auto.
  - pose proof (Z.rem_bound_pos a (Z.abs b) H); rewrite Z.rem_abs_r in *; auto; lia.
  - pose proof (Z.rem_bound_pos (- a) (Z.abs b)); rewrite Z.rem_abs_r, Z.rem_opp_l in *; auto; lia.
Qed.
Lemma sv_euclid a b :
  b = 0 \/ (0 <= a - b * ZEuclid.div a b /\ a - b * ZEuclid.div a b < Z.abs b).
Proof.
  rewrite <- sv_emod; destruct (Z.eq_dec b 0); auto; right.
  pose proof (ZEuclid.mod_always_pos a b); lia.
Qed.

(** * Steps of refutations: facts [0 <= p] and [p = 0], their products, sums and cuts *)
Lemma sv_cut s g x c : 0 <= s -> (0 <? g) && (c <? g) = true -> s = g * x + c -> 0 <= x.
Proof. rewrite Bool.andb_true_iff, !Z.ltb_lt; intros; nia. Qed.
Lemma sv_cut0 s g x : s = 0 -> (0 <? g) = true -> s = g * x -> x = 0.
Proof. rewrite Z.ltb_lt; intros; nia. Qed.
Definition sv_mul p q : 0 <= p -> 0 <= q -> 0 <= p * q := Z.mul_nonneg_nonneg p q.
Lemma sv_mul0l p q : p = 0 -> p * q = 0. Proof. intros ->; reflexivity. Qed.
Lemma sv_mul0r p q : q = 0 -> p * q = 0. Proof. intros ->; apply Z.mul_0_r. Qed.
Definition sv_add p q : 0 <= p -> 0 <= q -> 0 <= p + q := Z.add_nonneg_nonneg p q.
Lemma sv_add0 p q : p = 0 -> q = 0 -> p + q = 0. Proof. lia. Qed.
Lemma sv_le p : p = 0 -> 0 <= p. Proof. lia. Qed.
Lemma sv_num c : (0 <=? c) = true -> 0 <= c. Proof. apply Z.leb_le. Qed.
Lemma sv_sign p : 0 <= p - 1 \/ p = 0 \/ 0 <= - 1 - p. Proof. lia. Qed.

Ltac sv_dec :=
  repeat first
    [ apply Z.eq_decidable | apply Z.le_decidable | apply Z.lt_decidable | apply dec_Zge | apply dec_Zgt
    | apply dec_Zne | apply dec_and | apply dec_or | apply dec_imp | apply dec_iff | apply dec_not
    | apply dec_True | apply dec_False ].
(** The denial of a goal of comparisons and connectives. *)
Ltac sv_deny N := apply dec_not_not; [ sv_dec | intro N ].
(** A fact from another that it differs from by arithmetic only. *)
Ltac sv_from H := clear - H; lia.
(** The sum [s], which is g times what is claimed, and c more. *)
Ltac sv_ge s g c := refine (sv_cut _ g _ c s eq_refl _); ring.
Ltac sv_eq s g := refine (sv_cut0 _ g _ s eq_refl _); ring.
Lemma sv_if (b : bool) (x y : Z) :
  (b = true /\ (if b then x else y) = x) \/ (b = false /\ (if b then x else y) = y).
Proof. destruct b; auto. Qed.
Lemma sv_lnot a : Z.lnot a = -1 - a. Proof. unfold Z.lnot; lia. Qed.
Lemma sv_abs a : Z.abs a = Z.max a (0 - a). Proof. lia. Qed.
Ltac sv_unfold :=
  unfold ceildiv, wrap in *;
  repeat match goal with
  | H : context [Z.abs _] |- _ => rewrite sv_abs in H
  | H : context [_ mod _] |- _ => rewrite sv_mod in H
  | H : context [Z.rem _ _] |- _ => rewrite sv_rem in H
  | H : context [ZEuclid.modulo _ _] |- _ => rewrite sv_emod in H
  end.
(** A name for a term, and the equation that says so; another term that is the same. *)
Ltac sv_name t q e := remember t as q eqn:e in *.
Ltac sv_same t q e :=
  let f := fresh in assert (f : t = q) by (rewrite e; f_equal; ring);
  repeat match goal with H : context [t] |- _ => lazymatch H with f => fail | _ => rewrite f in H end end; clear f.

(** Side conditions: what is assumed, what is linear, that a product of what is above 0 is not 0. *)
Ltac sv_parts := repeat match goal with H : _ /\ _ |- _ => destruct H end.
Ltac sv_pos := apply Z.neq_sym, Z.lt_neq; repeat (apply Z.mul_pos_pos; try lia).
Ltac sv_side := repeat split; first [assumption | lia | sv_pos | nia | intuition (lia || nia)].

(** What is computed at every point of a range is so there. *)
Fixpoint sv_from_n (k : nat) (x : Z) : list Z := match k with O => [] | S k' => x :: sv_from_n k' (x + 1) end.
Definition sv_range (low high : Z) : list Z := sv_from_n (Z.to_nat (high - low)) low.
Lemma sv_in k : forall x i, In i (sv_from_n k x) <-> x <= i < x + Z.of_nat k.
Proof. induction k; intros; simpl; [lia|rewrite IHk; lia]. Qed.
Lemma sv_everywhere low high (p : Z -> bool) :
  forallb p (sv_range low high) = true -> forall i, low <= i < high -> p i = true.
Proof. rewrite forallb_forall; intros H i B; apply H, sv_in; lia. Qed.

(** What carries over to one element more holds along a list. *)
Lemma sv_fold {A S} (next : S -> A -> S) (ok : S -> A -> Prop) (inv : S -> Prop) :
  (forall state e, ok state e -> inv state -> inv (next state e)) ->
  forall l state, inv state -> along next ok state l -> inv (fold_left next l state).
Proof. intros H; induction l; simpl; intros; intuition. Qed.

(** What is computed of closed formulas; a witness that refutes what is claimed of all. *)
Ltac sv_closed c := first [lia | vm_compute in c |- *; intuition congruence | intuition lia].
Ltac sv_refuted k w :=
  repeat match type of k with _ /\ _ => let h := fresh in destruct k as [h k] end; apply k; apply w; sv_side.
