(** The example of README.md and of section 4 of "Merging tensor views": (10,3,3):(a,b,c) and (s):(4), for every s. *)
From Coq Require Import ZArith Lia List.
From Symview Require Import Digits Theorem10 Carries.
Import ListNotations.
Local Open Scope Z_scope.

Lemma index_of_one_dim s i : inbox [s] i <-> exists x, i = [x] /\ 0 <= x < s.
Proof.
  destruct i as [|x [|y i]]; simpl; split; intros H; try tauto.
  - destruct H as (x & E & _); discriminate.
  - exists x; tauto.
  - destruct H as (x' & E & B); injection E as ->; tauto.
  - destruct H as (x' & E & _); discriminate.
Qed.

(** What the carries of the two boundaries are: floor(4x/9), and floor(4x/3) beyond the x of the first steps. *)
Lemma readme_condition a b c s : 1 <= s <= 23 ->
  mergeable [10; 3; 3] [a; b; c] [s] [4] <->
  forall x, 0 <= x < s -> (a - 3 * b) * (4 * x / 9) + (b - 3 * c) * (4 * x / 3 - x) = 0.
Proof.
  intros S; rewrite mergeable_affine; unfold composition.
  rewrite (exact_condition [10; 3; 3] [a; b; c] [s] (dot [4])); [| | reflexivity | |].
  - assert (E : forall x, total (carries (dot [4]) (length [s]) [x]) (boundaries [10; 3; 3] [a; b; c])
      = (a - 3 * b) * (4 * x / 9) + (b - 3 * c) * (4 * x / 3 - x)).
    { intros x; cbn [boundaries total]; unfold carries, bend, slopes; cbn [length units zeros repeat map dot].
      change (size [3; 3]) with 9; change (size [3]) with 3; rewrite !Z.add_0_r.
      change ((4 * 1) / 9) with 0; change ((4 * 1) / 3) with 1; change ((4 * 0) / 9) with 0;
        change ((4 * 0) / 3) with 0.
      ring. }
    split; intros H.
    + intros x B; rewrite <- E; apply H, index_of_one_dim; eauto.
    + intros i B; apply index_of_one_dim in B; destruct B as (x & -> & B); rewrite E; auto.
  - repeat constructor; lia.
  - exists 0, [4]; split; [reflexivity|intros; lia].
  - intros i B; apply index_of_one_dim in B; destruct B as (x & -> & B); cbn [dot]; change (size [10; 3; 3]) with 90;
      lia.
Qed.

(** Quotients of numbers are computed. *)
Ltac values := repeat match goal with |- context [?x / ?y] =>
  let v := eval vm_compute in (x / y) in change (x / y) with v end.

(** README: the views merge without any condition for s <= 3, exactly with a = 2b + 3c for s = 4 and 5, and exactly with
    a = 3b and b = 3c from s = 6 on, as far as the tensor reaches.

    Section 4 of the paper has the first bound at s <= 4 and the second at s > 4. *)
Theorem readme a b c s : 1 <= s ->
  ((forall i, inbox [s] i -> 0 <= dot [4] i < size [10; 3; 3]) /\ mergeable [10; 3; 3] [a; b; c] [s] [4])
  <-> s <= 3 \/ (4 <= s <= 5 /\ a = 2 * b + 3 * c) \/ (6 <= s <= 23 /\ a = 3 * b /\ b = 3 * c).
Proof.
  intros S; assert (Bounds : (forall i, inbox [s] i -> 0 <= dot [4] i < size [10; 3; 3]) <-> s <= 23).
  { change (size [10; 3; 3]) with 90; split.
    - intros H; specialize (H [s - 1] ltac:(simpl; lia)); cbn [dot] in H; lia.
    - intros L i B; apply index_of_one_dim in B; destruct B as (x & -> & B); cbn [dot]; lia. }
  rewrite Bounds; clear Bounds; split.
  - intros [L M]; rewrite (readme_condition a b c s) in M by lia.
    assert (At3 : 4 <= s -> (a - 3 * b) + (b - 3 * c) = 0).
    { intros R; specialize (M 3 ltac:(lia)); change (4 * 3 / 9) with 1 in M; change (4 * 3 / 3 - 3) with 1 in M; lia. }
    assert (At5 : 6 <= s -> 2 * (a - 3 * b) + (b - 3 * c) = 0).
    { intros R; specialize (M 5 ltac:(lia)); change (4 * 5 / 9) with 2 in M; change (4 * 5 / 3 - 5) with 1 in M; lia. }
    lia.
  - intros Case; assert (L : s <= 23) by lia; split; [exact L|].
    apply readme_condition; [lia|]; intros x B.
    destruct Case as [R|[[R E]|[R [E F]]]].
    + assert (x = 0 \/ x = 1 \/ x = 2) as [->|[->| ->]] by lia; values; lia.
    + assert (x = 0 \/ x = 1 \/ x = 2 \/ x = 3 \/ x = 4) as [->|[->|[->|[->| ->]]]] by lia; values; lia.
    + subst a b; replace (3 * (3 * c) - 3 * (3 * c)) with 0 by lia; replace (3 * c - 3 * c) with 0 by lia; lia.
Qed.

(** The paper's thresholds are wrong: at s = 3 the strides (0,0,1) merge though a is not 2b + 3c … *)
Theorem nothing_is_needed_at_3 : mergeable [10; 3; 3] [0; 0; 1] [3] [4] /\ 0 <> 2 * 0 + 3 * 1.
Proof.
  split; [|discriminate].
  assert (H := proj2 (readme 0 0 1 3 ltac:(lia)) (or_introl (Z.le_refl 3))); tauto.
Qed.

(** … and at s = 5 the strides (2,1,0) merge though a is not 3b. *)
Theorem one_equation_is_enough_at_5 : mergeable [10; 3; 3] [2; 1; 0] [5] [4] /\ 2 <> 3 * 1.
Proof.
  split; [|discriminate].
  assert (H := proj2 (readme 2 1 0 5 ltac:(lia)) ltac:(right; left; lia)); tauto.
Qed.

(** The merged stride is b + c, wherever there is a step. *)
Theorem readme_stride a b c s tau : 2 <= s ->
  (forall i, inbox [s] i -> composition [10; 3; 3] [a; b; c] [4] i = dot [tau] i) -> tau = b + c.
Proof.
  intros S H; specialize (H [1] ltac:(simpl; lia)); unfold composition, address in H.
  cbv [digits size dot] in H; change ((4 * 1 + 0) / (3 * (3 * 1)) mod 10) with 0 in H.
  change ((4 * 1 + 0) / (3 * 1) mod 3) with 1 in H; change ((4 * 1 + 0) / 1 mod 3) with 1 in H; lia.
Qed.

(** Section 4.3, refuted: that single overflows imply the double ones. Behind (2,2,2), (3):(3) has no single overflow,
    and merges exactly with σ1 = σ2 + 2σ3. *)
Theorem a_double_overflow_alone a b c : mergeable [2; 2; 2] [a; b; c] [3] [3] <-> a = b + 2 * c.
Proof.
  assert (V : forall x, 0 <= x < 3 -> composition [2; 2; 2] [a; b; c] [3] [x]
    = if x =? 0 then 0 else if x =? 1 then b + c else a + b).
  { intros x X; assert (x = 0 \/ x = 1 \/ x = 2) as [->|[->| ->]] by lia;
      unfold composition, address; cbn -[Z.mul Z.add]; cbn; lia. }
  split.
  - intros (tau & L & H); destruct tau as [|u [|w tau]]; try discriminate.
    pose proof (H [1] ltac:(simpl; lia)) as H1; pose proof (H [2] ltac:(simpl; lia)) as H2.
    rewrite V in H1, H2 by lia; cbn [Z.eqb Pos.eqb dot] in H1, H2; lia.
  - intros E; exists [b + c]; split; [reflexivity|]; intros [|x [|y i]] B; try (simpl in B; tauto).
    destruct B as [B _]; rewrite V by auto; assert (x = 0 \/ x = 1 \/ x = 2) as [->|[->| ->]] by lia;
      cbn [Z.eqb Pos.eqb dot]; lia.
Qed.
