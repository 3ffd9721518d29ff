(** Theorem 10 of "Merging tensor views" (N. uit de Bos, 2025): when two views of any rank are one.

    An outer view has a shape s and strides σ; an inner view has a shape s' and strides t, and reads the outer view at
    the address t·i. Together they take an index i to σ·digits_s(t·i). *)
From Coq Require Import ZArith Lia List.
From Symview Require Import Digits.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** The address that a view with these strides has for the x-th element of its shape. *)
Definition address (s sigma : list Z) (x : Z) : Z := dot sigma (digits s x).

(** Definition 6: the functional composition of two views. *)
Definition composition (s sigma t i : list Z) : Z := address s sigma (dot t i).

Definition zeros (l : nat) : list Z := repeat 0 l.

(** i + e_j, where j counts from 0. *)
Fixpoint bump (j : nat) (i : list Z) : list Z :=
  match i, j with
  | [], _ => []
  | x :: i', O => (x + 1) :: i'
  | x :: i', S j' => x :: bump j' i'
  end.

(** The unit index e_j of l dims, and all of them. *)
Definition unit (l j : nat) : list Z := bump j (zeros l).
Fixpoint units (l : nat) : list (list Z) :=
  match l with
  | O => []
  | S l' => (1 :: zeros l') :: map (cons 0) (units l')
  end.

(** A function on the indices of s' is a view, if it is an offset and a stride for each dim. *)
Definition affine (f : list Z -> Z) (s' : list Z) : Prop :=
  exists o tau, length tau = length s' /\ forall i, inbox s' i -> f i = o + dot tau i.

(** Definition 9, for views that start at 0: some view is the composition. Beyond the tensor the first digit starts again,
    so that Theorem 10 asks for no bounds. *)
Definition mergeable (s sigma s' t : list Z) : Prop :=
  exists tau, length tau = length s' /\ forall i, inbox s' i -> composition s sigma t i = dot tau i.

(** The steps of a function along each axis, from 0. *)
Definition slopes (f : list Z -> Z) (l : nat) : list Z := map (fun e => f e - f (zeros l)) (units l).

(** * Indices and unit indices *)

Lemma zeros_length l : length (zeros l) = l.
Proof. induction l; simpl; auto. Qed.

Lemma bump_length i : forall j, length (bump j i) = length i.
Proof. induction i; destruct j; simpl; auto. Qed.

Lemma dot_zeros t : forall l, dot t (zeros l) = 0.
Proof. induction t as [|a t IH]; destruct l; simpl; auto; fold (zeros l); rewrite IH; lia. Qed.

Lemma dot_bump t : forall i j, length t = length i -> (j < length i)%nat -> dot t (bump j i) = dot t i + nth j t 0.
Proof.
  induction t as [|a t IH]; destruct i as [|x i]; destruct j as [|j]; simpl; intros L J; try lia.
  rewrite IH; lia.
Qed.

Lemma dot_unit t l j : length t = l -> (j < l)%nat -> dot t (unit l j) = nth j t 0.
Proof. intros L J; unfold unit; rewrite dot_bump, dot_zeros; rewrite ?zeros_length; lia. Qed.

Lemma length_of_map {A B} (g : A -> B) u : length (map g u) = length u.
Proof. induction u; simpl; auto. Qed.

Lemma units_length l : length (units l) = l.
Proof. induction l as [|l IH]; simpl; auto; rewrite length_of_map, IH; reflexivity. Qed.

Lemma nth_units l : forall j, (j < l)%nat -> nth j (units l) [] = unit l j.
Proof.
  induction l as [|l IH]; intros [|j] J; try lia; [reflexivity|]; cbn [units nth].
  change (unit (S l) (S j)) with (0 :: unit l j); rewrite <- IH by lia.
  rewrite nth_indep with (d' := 0 :: []); [apply (map_nth (cons 0))|].
  rewrite length_of_map, units_length; lia.
Qed.

Lemma slopes_length f l : length (slopes f l) = l.
Proof. unfold slopes; rewrite length_of_map; apply units_length. Qed.

Lemma nth_slopes f l j : (j < l)%nat -> nth j (slopes f l) 0 = f (unit l j) - f (zeros l).
Proof.
  intros J; unfold slopes; set (g := fun e => f e - f (zeros l)).
  rewrite nth_indep with (d' := g []).
  - rewrite (map_nth g); unfold g; rewrite nth_units; auto.
  - rewrite length_of_map, units_length; lia.
Qed.

Lemma zeros_inbox s : forall i, inbox s i -> inbox s (zeros (length s)).
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try tauto.
  split; [lia|apply (IH i); tauto].
Qed.

Lemma unit_inbox s : forall i j, inbox s i -> (j < length s)%nat -> inbox s (bump j i) -> inbox s (unit (length s) j).
Proof.
  unfold unit; induction s as [|n s IH]; destruct i as [|x i]; destruct j as [|j]; simpl; intros B J U; try lia;
    try tauto.
  - split; [lia|apply (zeros_inbox s i); tauto].
  - split; [lia|apply (IH i j); try tauto; lia].
Qed.

Fixpoint sum (i : list Z) : Z :=
  match i with
  | [] => 0
  | x :: i' => x + sum i'
  end.

Lemma sum_nonnegative s : forall i, inbox s i -> 0 <= sum i.
Proof. induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try lia; specialize (IH i); intuition lia. Qed.

(** Every index is 0, or one step from an index of a smaller sum. *)
Lemma below s : forall i, inbox s i ->
  i = zeros (length s) \/
  exists j i', inbox s i' /\ (j < length s)%nat /\ i = bump j i' /\ sum i' = sum i - 1.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try tauto.
  destruct B as [X B]; destruct (Z.eq_dec x 0) as [->|N].
  - destruct (IH i B) as [->|(j & i' & B' & J & -> & E)]; [left; reflexivity|right].
    exists (S j), (0 :: i'); simpl; repeat split; auto; lia.
  - right; exists O, ((x - 1) :: i); simpl; repeat split; auto; try lia; f_equal; lia.
Qed.

(** What holds at 0, and after each step inside the box, holds in all of it. *)
Lemma index_induction s (p : list Z -> Prop) :
  p (zeros (length s)) ->
  (forall i j, inbox s i -> (j < length s)%nat -> inbox s (bump j i) -> p i -> p (bump j i)) ->
  forall i, inbox s i -> p i.
Proof.
  intros P0 Step; assert (G : forall k i, (Z.to_nat (sum i) <= k)%nat -> inbox s i -> p i).
  { induction k as [|k IH]; intros i K B; destruct (below s i B) as [->|(j & i' & B' & J & -> & E)]; auto;
      pose proof (sum_nonnegative s i' B'); [lia|].
    apply Step; auto; apply IH; auto; lia. }
  intros i B; apply (G (Z.to_nat (sum i))); auto.
Qed.

(** * The criterion, for any function on a box *)

(** A function is affine exactly if every step along an axis adds what the first step along it does. *)
Theorem affine_iff_equal_steps f s' :
  affine f s' <->
  forall i j, inbox s' i -> (j < length s')%nat -> inbox s' (bump j i) ->
    f (bump j i) - f i = f (unit (length s') j) - f (zeros (length s')).
Proof.
  split.
  - intros (o & tau & L & H) i j B J B'.
    rewrite (H i B), (H _ B'), (H _ (unit_inbox s' i j B J B')), (H _ (zeros_inbox s' i B)).
    rewrite dot_bump, dot_unit, dot_zeros; rewrite ?(inbox_length s' i B); auto; lia.
  - intros H; exists (f (zeros (length s'))), (slopes f (length s')); split; [apply slopes_length|].
    apply index_induction.
    + rewrite dot_zeros; lia.
    + intros i j B J B' E; specialize (H i j B J B').
      rewrite dot_bump, nth_slopes; rewrite ?slopes_length, ?(inbox_length s' i B); auto; lia.
Qed.

(** The strides of an affine function are its first steps, on each axis that has a step. *)
Theorem affine_strides_unique f s' o tau :
  length tau = length s' -> (forall i, inbox s' i -> f i = o + dot tau i) ->
  forall j, (j < length s')%nat -> inbox s' (unit (length s') j) ->
  nth j tau 0 = f (unit (length s') j) - f (zeros (length s')).
Proof.
  intros L H j J U; rewrite (H _ U), (H _ (zeros_inbox s' _ U)), dot_unit, dot_zeros; auto; lia.
Qed.

(** So it is its value at 0 and these steps, the steps on axes without one being free. *)
Theorem affine_by_slopes f s' : affine f s' ->
  forall i, inbox s' i -> f i = f (zeros (length s')) + dot (slopes f (length s')) i.
Proof.
  intros A; pose proof (proj1 (affine_iff_equal_steps f s') A) as H; apply index_induction.
  - rewrite dot_zeros; lia.
  - intros i j B J B' E; specialize (H i j B J B').
    rewrite dot_bump, nth_slopes; rewrite ?slopes_length, ?(inbox_length s' i B); auto; lia.
Qed.

(** * The paper's statements *)

(** Lemma 4: a view is additive. *)
Theorem lemma_4 : forall t i j, length i = length j ->
  dot t (map (fun p => fst p + snd p) (combine i j)) = dot t i + dot t j.
Proof.
  induction t as [|a t IH]; destruct i as [|x i]; destruct j as [|y j]; simpl; intros L; try discriminate; auto.
  rewrite IH; lia.
Qed.

Lemma address_0 s sigma : address s sigma 0 = 0.
Proof.
  unfold address; revert sigma; induction s as [|n s IH]; destruct sigma as [|a sigma]; simpl; auto.
  rewrite IH, div_0, mod_0; lia.
Qed.

Lemma composition_0 s sigma t l : composition s sigma t (zeros l) = 0.
Proof. unfold composition; rewrite dot_zeros; apply address_0. Qed.

Lemma mergeable_affine s sigma s' t : mergeable s sigma s' t <-> affine (composition s sigma t) s'.
Proof.
  split; intros A.
  - destruct A as (tau & L & H); exists 0, tau; split; auto.
  - exists (slopes (composition s sigma t) (length s')); split; [apply slopes_length|].
    intros i B; rewrite (affine_by_slopes _ _ A i B), composition_0; lia.
Qed.

(** Theorem 10: (v, v') is mergeable if and only if f(i + e_j) = f(i) + f(e_j), for each index i and each axis j that
    has room for one more step. *)
Theorem theorem_10 s sigma s' t :
  mergeable s sigma s' t <->
  forall i j, inbox s' i -> (j < length s')%nat -> inbox s' (bump j i) ->
    composition s sigma t (bump j i) = composition s sigma t i + composition s sigma t (unit (length s') j).
Proof.
  rewrite mergeable_affine, affine_iff_equal_steps, composition_0.
  split; intros H i j B J B'; specialize (H i j B J B'); lia.
Qed.

(** Theorem 10, second part: the merged strides are f(e_j), and no others, on each axis of size 2 or more. *)
Theorem theorem_10_unique s sigma s' t tau :
  length tau = length s' -> (forall i, inbox s' i -> composition s sigma t i = dot tau i) ->
  forall j, (j < length s')%nat -> inbox s' (unit (length s') j) ->
  nth j tau 0 = composition s sigma t (unit (length s') j).
Proof.
  intros L H j J U; rewrite (affine_strides_unique (composition s sigma t) s' 0 tau L H j J U), composition_0; lia.
Qed.

Lemma address_nonnegative s : forall sigma x, positive s -> Forall (Z.le 0) sigma -> 0 <= address s sigma x.
Proof.
  unfold address; induction s as [|n s IH]; destruct sigma as [|a sigma]; simpl; intros x P N; try lia.
  destruct (positive_cons _ _ P) as [S1 S2]; inversion N as [|? ? A1 A2]; subst.
  specialize (IH sigma x S2 A2); pose proof (Z.mod_pos_bound (x / size s) n); nia.
Qed.

(** Theorem 10, first part, with natural numbers for strides, as in the paper's definition of a view. *)
Theorem theorem_10_natural s sigma s' t :
  positive s -> Forall (Z.le 0) sigma -> mergeable s sigma s' t ->
  exists tau, length tau = length s' /\ Forall (Z.le 0) tau /\
    forall i, inbox s' i -> composition s sigma t i = dot tau i.
Proof.
  intros P N M.
  assert (D : forall x, 0 <= address s sigma x) by (intros; apply address_nonnegative; auto).
  exists (slopes (composition s sigma t) (length s')); repeat split; [apply slopes_length| |].
  - unfold slopes; rewrite composition_0; apply Forall_forall; intros v I; apply in_map_iff in I.
    destruct I as (e & <- & _); specialize (D (dot t e)); unfold composition; lia.
  - apply mergeable_affine in M; intros i B; rewrite (affine_by_slopes _ _ M i B), composition_0; lia.
Qed.

(** Views that start elsewhere: the criterion compares with the step from 0; f(0) is the merged offset. The paper's
    form fails there, and so does uniqueness on an axis of size 1. *)
Theorem theorem_10_offset s sigma s' t o :
  affine (fun i => address s sigma (o + dot t i)) s' <->
  forall i j, inbox s' i -> (j < length s')%nat -> inbox s' (bump j i) ->
    address s sigma (o + dot t (bump j i)) - address s sigma (o + dot t i)
    = address s sigma (o + dot t (unit (length s') j)) - address s sigma (o + dot t (zeros (length s'))).
Proof. apply affine_iff_equal_steps. Qed.

(** The two strides 0 and 1 of an axis of size 1 are the same view. *)
Theorem strides_of_size_1_are_free : forall i, inbox [1] i -> dot [0] i = dot [1] i.
Proof. intros [|x [|y i]]; cbn [inbox dot]; lia. Qed.

(** With an offset, a step without an overflow may break the merge: behind (2,2), (3):(1)+1 reads 1, 2, 3. From 2 to 3
    only the last digit changes, yet with the strides (1,0) the values are 0, 1, 1. *)
Theorem offset_breaks_without_overflow : ~ affine (fun i => address [2; 2] [1; 0] (1 + dot [1] i)) [3].
Proof.
  rewrite affine_iff_equal_steps; intros H.
  assert (B : inbox [3] [1]) by (simpl; lia); assert (B' : inbox [3] [2]) by (simpl; lia).
  specialize (H [1] O B (Nat.lt_0_succ 0) B'); vm_compute in H; discriminate.
Qed.

(** * Sections 2 and 4.3 *)

(** Section 4.3: an inner view of shape (2) always merges. *)
Theorem shape_2_always_merges s sigma t : mergeable s sigma [2] [t].
Proof.
  exists [composition s sigma [t] [1]]; split; [reflexivity|]; intros [|x [|y i]] B; try (simpl in B; tauto).
  destruct B as [B _]; assert (x = 0 \/ x = 1) as [->| ->] by lia.
  - change [0] with (zeros 1); rewrite composition_0, dot_zeros; reflexivity.
  - cbn [dot]; lia.
Qed.

(** Section 4.3: a larger shape never needs less. *)
Theorem larger_shapes_need_no_less s sigma r s' t :
  Forall2 Z.le r s' -> mergeable s sigma s' t -> mergeable s sigma r t.
Proof.
  intros F (tau & L & H); exists tau; split; [|intros i B; apply H].
  - rewrite L; clear - F; induction F; simpl; congruence.
  - clear - F B; revert i B; induction F as [|n m r s' N F IH]; intros [|x i] B; simpl in *; try tauto.
    split; [lia|apply IH; tauto].
Qed.

(** Definition 6, refuted for views that leave the tensor: (2):(2) reads 2 in a tensor (2), whose numbers end at 1, and
    no index ravels to it. *)
Theorem definition_6_needs_bounds : inbox [2] [1] /\ dot [2] [1] = 2 /\ forall i, inbox [2] i -> ravel [2] i <> 2.
Proof.
  repeat split; try (simpl; lia); try reflexivity.
  intros [|x [|y i]] B; simpl in B; try tauto; cbn [ravel size]; lia.
Qed.

(** Definition 8: for sizes from 1 on, the same index set is the same shape. *)
Theorem same_indices_same_shape s : forall r, positive s -> positive r ->
  (forall i, inbox s i <-> inbox r i) -> s = r.
Proof.
  assert (Origin : forall s, positive s -> inbox s (zeros (length s))).
  { clear; induction s as [|n s IH]; intros P; simpl; auto; destruct (positive_cons _ _ P); split; [lia|auto]. }
  induction s as [|n s IH]; intros [|m r] P Q H; auto.
  - destruct (proj1 (H []) I).
  - destruct (proj2 (H []) I).
  - destruct (positive_cons _ _ P) as [N P']; destruct (positive_cons _ _ Q) as [M Q'].
    assert (E : n = m).
    { destruct (proj1 (H ((n - 1) :: zeros (length s)))) as [X _]; [split; [lia|apply Origin; auto]|].
      destruct (proj2 (H ((m - 1) :: zeros (length r)))) as [Y _]; [split; [lia|apply Origin; auto]|]; lia. }
    subst m; f_equal; apply IH; auto; intros i; specialize (H (0 :: i)); simpl in H.
    split; intros B; apply H; split; auto; lia.
Qed.
