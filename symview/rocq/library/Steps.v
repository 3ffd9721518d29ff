(** Tactics that main theorems need besides their lemmas: side conditions, computation at every point.  No axioms. *)
From Coq Require Import ZArith Lia List Bool Zeuclid Decidable Psatz Ring.
From Symview Require Import Definitions Symview.
Import ListNotations.
Open Scope Z_scope.

Ltac sv_dec :=
  repeat first
    [ apply Z.eq_decidable | apply Z.le_decidable | apply Z.lt_decidable | apply dec_Zge | apply dec_Zgt
    | apply dec_Zne | apply dec_and | apply dec_or | apply dec_imp | apply dec_iff | apply dec_not
    | apply dec_True | apply dec_False ].
(** The negation of a goal of comparisons and connectives. *)
Ltac sv_deny N := apply dec_not_not; [ sv_dec | intro N ].

(** Side conditions: assumptions, linear arithmetic, nonzero products of positive terms. *)
Ltac sv_parts := repeat match goal with H : _ /\ _ |- _ => destruct H end.
Ltac sv_pos := apply Z.neq_sym, Z.lt_neq; repeat (apply Z.mul_pos_pos; try lia).
Ltac sv_side := repeat split; first [assumption | lia | sv_pos | nia | intuition (lia || nia)].

(** A test that is computed at every point of a range holds there. *)
Fixpoint sv_from_n (k : nat) (x : Z) : list Z := match k with O => [] | S k' => x :: sv_from_n k' (x + 1) end.
Definition sv_range (low high : Z) : list Z := sv_from_n (Z.to_nat (high - low)) low.
Lemma sv_in k : forall x i, In i (sv_from_n k x) <-> x <= i < x + Z.of_nat k.
Proof. induction k; intros; simpl; [lia|rewrite IHk; lia]. Qed.
Lemma sv_everywhere low high (p : Z -> bool) :
  forallb p (sv_range low high) = true -> forall i, low <= i < high -> p i = true.
Proof. rewrite forallb_forall; intros H i B; apply H, sv_in; lia. Qed.

(** A claim that carries over to one more element holds along a list. *)
Lemma sv_fold {A S} (next : S -> A -> S) (ok : S -> A -> Prop) (inv : S -> Prop) :
  (forall state e, ok state e -> inv state -> inv (next state e)) ->
  forall l state, inv state -> along next ok state l -> inv (fold_left next l state).
Proof. intros H; induction l; simpl; intros; intuition. Qed.

(** Computation of closed formulas; a witness that refutes a universal claim. *)
Ltac sv_closed c := first [lia | vm_compute in c |- *; intuition congruence | intuition lia].
Ltac sv_refuted k w :=
  repeat match type of k with _ /\ _ => let h := fresh in destruct k as [h k] end; first [apply k; apply w; sv_side | exfalso; sv_side].


(** Exactly one holds: one of them does, and no two. *)
Lemma sv_exactly ps : fold_right or False ps -> ForallOrdPairs (fun p q => ~ (p /\ q)) ps -> exactly_one ps.
Proof.
  induction ps as [|p ps IH]; cbn; intros C D; [exact C|]; inversion D as [|p' ps' F D']; subst.
  destruct C as [C|C].
  - left; split; [exact C|]; revert F; apply Forall_impl; intros q N Q; apply N; split; assumption.
  - right; split; [|exact (IH C D')]; intros P; clear IH D D'.
    induction F as [|q ps N F G]; cbn in C; [exact C|destruct C as [C|C]; [apply N; split; assumption|exact (G C)]].
Qed.
