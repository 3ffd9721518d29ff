(** The definition of a quotient, for every divisor.  No axioms. *)
From Coq Require Import ZArith Lia Zeuclid.
From Symview Require Export Definitions.
Local Open Scope Z_scope.

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
