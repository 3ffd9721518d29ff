(** Where "CuTe Layout Algebra" (L. Mao) is wrong, or asks for more than is needed, by computation.

    The smallest examples are those of proofs/README.md, "What had to be corrected". *)
From Coq Require Import ZArith Lia List.
From Symview Require Import Layouts Compositions Complements.
Import ListNotations.
Local Open Scope Z_scope.

(** * "CuTe Layout Algebra" *)

(** Theorem 2.18, refuted: A = (6,2):(1,1) and B = (2,2,2):(1,2,3). Each mode of B is admissible, their intervals are
    disjoint, each composition exists, but all three together are not A ∘ B: f̂_A(1 + 2 + 3) = f̂_A(6) = 1, not 6. *)
Theorem theorem_2_18_fails :
  let A := [(6, 1); (2, 1)] in
  (compose_mode A 2 1 = Some [(2, 1)] /\ compose_mode A 2 2 = Some [(2, 2)] /\ compose_mode A 2 3 = Some [(2, 3)]) /\
  (forall x, ~ (in_interval A 2 1 x /\ in_interval A 2 2 x) /\ ~ (in_interval A 2 1 x /\ in_interval A 2 3 x) /\
     ~ (in_interval A 2 2 x /\ in_interval A 2 3 x)) /\
  ~ composes A [(2, 1); (2, 2); (2, 3)] [(2, 1); (2, 2); (2, 3)].
Proof.
  cbv zeta; split; [repeat split; reflexivity|split].
  - intros x; unfold in_interval; lia.
  - intros (_ & V); specialize (V 7 ltac:(cbn; lia)); cbn in V; discriminate.
Qed.

(** Definition 2.12 is not needed: (4,4):(4,1) ∘ 4:5 is 4:5, … *)
Theorem admission_is_not_needed :
  compose_mode [(4, 4); (4, 1)] 4 5 = None /\ composition [(4, 4); (4, 1)] [(4, 5)] = Some [(4, 5)].
Proof. split; reflexivity. Qed.

(** … and carries of several boundaries may cancel: (2,3,5):(1,1,4) ∘ 3:3 is 3:2. *)
Theorem carries_may_cancel :
  compose_mode [(2, 1); (3, 1); (5, 4)] 3 3 = None /\ composition [(2, 1); (3, 1); (5, 4)] [(3, 3)] = Some [(3, 2)].
Proof. split; reflexivity. Qed.

(** That the first bends divide N is not enough: (3,3):(0,1) ∘ 4:2 takes 0, 0, 1, 2, whose first bend is at 2. *)
Theorem bends_that_divide_are_not_enough :
  modes_of 4 (fun i => value [(3, 0); (3, 1)] (value [(4, 2)] i)) 4 = Some [(2, 0); (2, 1)] /\
  composition [(3, 0); (3, 1)] [(4, 2)] = None.
Proof. split; reflexivity. Qed.

(** Definition 2.13: coalescing A admits more. (2,2):(1,2) with 3:1 is not admitted, coalesced to 4:1 it is, and 3:1 is
    the composition of either. *)
Theorem coalescing_admits_more :
  compose_mode [(2, 1); (2, 2)] 3 1 = None /\ compose_mode (coalesce [(2, 1); (2, 2)]) 3 1 = Some [(3, 1)] /\
  composes [(2, 1); (2, 2)] [(3, 1)] [(3, 1)].
Proof.
  repeat split; try reflexivity; intros x X; cbn [size] in X.
  assert (x = 0 \/ x = 1 \/ x = 2) as [->|[->| ->]] by lia; reflexivity.
Qed.

(** Coalescence, the trap: d_0 = N_1·d_1 does not make (2,2):(2,1) the mode 4:1. *)
Theorem coalescence_trap : value [(2, 2); (2, 1)] 1 <> value [(4, 1)] 1 /\ coalesce [(2, 2); (2, 1)] = [(2, 2); (2, 1)].
Proof. split; [discriminate|reflexivity]. Qed.

(** Coalescing changes the extension where the last mode has size 1: f̂(1) of (1,1):(0,1) is 1. *)
Theorem coalescing_changes_the_extension :
  value [(1, 0); (1, 1)] 1 = 1 /\ value (coalesce [(1, 0); (1, 1)]) 1 = 0.
Proof. split; reflexivity. Qed.

(** Definition 2.4, refuted: that the order of the modes always matters. *)
Theorem order_need_not_matter x : value [(2, 1); (2, 1)] x = value (rev [(2, 1); (2, 1)]) x.
Proof. reflexivity. Qed.

(** Definition 2.5 depends on modes of size 1: (1,2):(3,1), sorted (2,1):(1,3), is not admitted with M = 2; without the
    mode of size 1 it is. *)
Theorem admission_depends_on_sizes_of_1 : ~ admissible [(2, 1); (1, 3)] 2 /\ admissible (coalesce [(1, 3); (2, 1)]) 2.
Proof.
  split.
  - intros (_ & _ & _ & _ & _ & _ & (g & G) & _); lia.
  - cbn; repeat split; try lia; [exists 1; lia|exists 1; lia].
Qed.

(** Corollary 2.8, refuted for the complement as CuTe returns it, coalesced: A = 3:2 and M = 6, where 2:1 goes
    on with 2, a value of A. *)
Theorem corollary_2_8_fails_coalesced :
  admissible [(3, 2)] 6 /\ coalesce (complement [(3, 2)] 6) = [(2, 1)] /\ value [(3, 2)] 1 = value [(2, 1)] 2.
Proof.
  repeat split; try reflexivity; try lia; cbn; [exists 2; lia|exists 1; lia].
Qed.

(** Corollary 2.8, the proof: place values are not strides. *)
Theorem place_values_are_not_strides : admissible [(2, 2)] 4 /\ value [(2, 2)] 1 <> 1.
Proof. repeat split; try discriminate; try lia; cbn; [exists 2; lia|exists 1; lia]. Qed.

(** * Linear layouts *)

(** f(x ⊕ y) = f(x) ⊕ f(y) on the indices of k bits. *)
Definition linear (L : layout) (k : Z) : Prop :=
  forall x y, 0 <= x < 2 ^ k -> 0 <= y < 2 ^ k -> value L (Z.lxor x y) = Z.lxor (value L x) (value L y).

(** Refuted: that linear layouts have powers of two for strides. 2:3, 4:5 and (2,2):(5,2) are linear, injective and
    coalesced. *)
Theorem linear_without_powers_of_two :
  linear [(2, 3)] 1 /\ linear [(4, 5)] 2 /\ linear [(2, 5); (2, 2)] 2 /\
  coalesced [(2, 3)] /\ coalesced [(4, 5)] /\ coalesced [(2, 5); (2, 2)] /\
  forall k, 0 <= k -> 3 <> 2 ^ k /\ 5 <> 2 ^ k.
Proof.
  assert (Odd : forall k, 0 <= k -> 2 ^ k = 1 \/ exists m, 2 ^ k = 2 * m).
  { intros k K; destruct (Z.eq_dec k 0) as [->|]; [left; reflexivity|right; exists (2 ^ (k - 1))].
    rewrite <- Z.pow_succ_r by lia; f_equal; lia. }
  assert (Two : forall x, 0 <= x < 2 ^ 1 -> x = 0 \/ x = 1) by (intros; lia).
  assert (Four : forall x, 0 <= x < 2 ^ 2 -> x = 0 \/ x = 1 \/ x = 2 \/ x = 3) by (intros; lia).
  repeat split; try (cbn; lia); try (destruct (Odd k) as [E|(m & E)]; [auto|rewrite E; lia|rewrite E; lia]).
  - intros x y X Y; destruct (Two x X) as [->| ->], (Two y Y) as [->| ->]; reflexivity.
  - intros x y X Y; destruct (Four x X) as [->|[->|[->| ->]]], (Four y Y) as [->|[->|[->| ->]]]; reflexivity.
  - intros x y X Y; destruct (Four x X) as [->|[->|[->| ->]]], (Four y Y) as [->|[->|[->| ->]]]; reflexivity.
Qed.

(** The layout 4:3, which is not: 3 + 6 carries. *)
Theorem not_linear : ~ linear [(4, 3)] 2.
Proof. intros H; specialize (H 1 2 ltac:(lia) ltac:(lia)); discriminate. Qed.
