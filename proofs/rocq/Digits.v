(** Digits of mixed radix, at any rank.

    A shape [s] is a list of sizes, the slowest first. An index [i] of it is a list of numbers below the sizes.
    [ravel s i] is its row-major number, [digits s x] the index of a number x: they are each other's inverse. *)
From Coq Require Import ZArith Lia List.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** The index i lies in the box of the shape s. *)
Fixpoint inbox (s i : list Z) : Prop :=
  match s, i with
  | [], [] => True
  | n :: s', x :: i' => 0 <= x < n /\ inbox s' i'
  | _, _ => False
  end.

(** Σ t_j·i_j. *)
Fixpoint dot (t i : list Z) : Z :=
  match t, i with
  | a :: t', x :: i' => a * x + dot t' i'
  | _, _ => 0
  end.

(** The number of indices: the product of the sizes. *)
Fixpoint size (s : list Z) : Z :=
  match s with
  | [] => 1
  | n :: s' => n * size s'
  end.

(** The row-major number of an index: Σ i_l·P_l, where the place value P_l is the product of the sizes after l. *)
Fixpoint ravel (s i : list Z) : Z :=
  match s, i with
  | n :: s', x :: i' => x * size s' + ravel s' i'
  | _, _ => 0
  end.

(** The digits floor(x / P_l) mod s_l. *)
Fixpoint digits (s : list Z) (x : Z) : list Z :=
  match s with
  | [] => []
  | n :: s' => (x / size s') mod n :: digits s' x
  end.

(** The strides of the contiguous view: the place values. *)
Fixpoint contiguous (s : list Z) : list Z :=
  match s with
  | [] => []
  | n :: s' => size s' :: contiguous s'
  end.

(** Counting every dim down instead of up. *)
Fixpoint flip (s i : list Z) : list Z :=
  match s, i with
  | n :: s', x :: i' => (n - 1 - x) :: flip s' i'
  | _, _ => []
  end.

Definition positive (s : list Z) : Prop := Forall (fun n => 1 <= n) s.

(** * Boxes and sizes *)

Lemma positive_cons n s : positive (n :: s) -> 1 <= n /\ positive s.
Proof. intros H; inversion H; auto. Qed.

Lemma size_positive s : positive s -> 1 <= size s.
Proof.
  induction s as [|n s IH]; simpl; intros P; [lia|].
  destruct (positive_cons _ _ P) as [N P']; specialize (IH P'); nia.
Qed.

Lemma size_app s r : size (s ++ r) = size s * size r.
Proof. induction s as [|n s IH]; cbn [size app]; [lia|rewrite IH; ring]. Qed.

Lemma inbox_length s : forall i, inbox s i -> length i = length s.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try tauto.
  f_equal; apply IH; tauto.
Qed.

Lemma inbox_positive s : forall i, inbox s i -> positive s.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try tauto; constructor.
  - lia.
  - apply (IH i); tauto.
Qed.

(** * Ravelled indices *)

(** A ravelled index is below the product of the sizes. *)
Theorem ravel_bounds s : forall i, inbox s i -> 0 <= ravel s i < size s.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try tauto; [lia|].
  destruct B as [X B]; specialize (IH i B); nia.
Qed.

(** "Merging tensor views", Definition 5: ravelling is the contiguous view. *)
Theorem ravel_contiguous s : forall i, ravel s i = dot (contiguous s) i.
Proof. induction s as [|n s IH]; destruct i as [|x i]; simpl; try reflexivity; rewrite IH; ring. Qed.

(** Two shapes, one after the other: the first index counts blocks as large as the second shape. *)
Theorem ravel_app s r : forall i j, length i = length s ->
  ravel (s ++ r) (i ++ j) = ravel s i * size r + ravel r j.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros j L; try discriminate; [lia|].
  rewrite IH, size_app by lia; ring.
Qed.

(** Flipping all dims reverses the numbers. *)
Theorem ravel_flip s : forall i, length i = length s -> ravel s i + ravel s (flip s i) = size s - 1.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros L; try discriminate; [lia|].
  specialize (IH i); lia.
Qed.

(** * Digits *)

Lemma div_0 n : 0 / n = 0.
Proof. destruct n; reflexivity. Qed.

Lemma mod_0 n : 0 mod n = 0.
Proof. destruct n; reflexivity. Qed.

Lemma digits_length s x : length (digits s x) = length s.
Proof. induction s as [|n s IH]; simpl; [reflexivity|rewrite IH; reflexivity]. Qed.

(** Each digit is below its size. *)
Theorem digits_inbox s x : positive s -> inbox s (digits s x).
Proof.
  induction s as [|n s IH]; simpl; intros P; [exact I|].
  destruct (positive_cons _ _ P) as [N P']; split; [apply Z.mod_pos_bound; lia|auto].
Qed.

(** Digits start again after the product of the sizes. *)
Theorem digits_periodic s : forall x k, positive s -> digits s (x + k * size s) = digits s x.
Proof.
  induction s as [|n s IH]; simpl; intros x k P; [reflexivity|].
  destruct (positive_cons _ _ P) as [N P']; pose proof (size_positive s P').
  replace (x + k * (n * size s)) with (x + (k * n) * size s) by ring.
  rewrite Z.div_add, Z.mod_add, IH by (auto; lia); reflexivity.
Qed.

(** Unravelling a ravelled index gives it back. *)
Theorem digits_ravel s : forall i, inbox s i -> digits s (ravel s i) = i.
Proof.
  induction s as [|n s IH]; destruct i as [|x i]; simpl; intros B; try tauto.
  destruct B as [X B]; pose proof (ravel_bounds s i B); pose proof (inbox_positive s i B) as P.
  rewrite (Z.add_comm (x * size s)), Z.div_add, (Z.div_small (ravel s i)), Z.add_0_l, Z.mod_small by lia.
  rewrite digits_periodic, IH by auto; reflexivity.
Qed.

Lemma mod_by_parts x n c : 1 <= n -> 1 <= c -> x mod (n * c) = (x / c) mod n * c + x mod c.
Proof.
  intros N C; symmetry; apply Z.mod_unique_pos with (x / c / n).
  - pose proof (Z.mod_pos_bound (x / c) n); pose proof (Z.mod_pos_bound x c); nia.
  - pose proof (Z.div_mod x c); pose proof (Z.div_mod (x / c) n); nia.
Qed.

(** Ravelling an unravelled number gives it back, modulo the product of the sizes. *)
Theorem ravel_digits s x : positive s -> ravel s (digits s x) = x mod size s.
Proof.
  induction s as [|n s IH]; simpl; intros P; [rewrite Z.mod_1_r; reflexivity|].
  destruct (positive_cons _ _ P) as [N P']; pose proof (size_positive s P').
  rewrite IH, mod_by_parts by auto; reflexivity.
Qed.

(** "Merging tensor views", Remark 7: inside the tensor it gives it back. So a reshape of a reshape is a reshape. *)
Theorem ravel_digits_inside s x : positive s -> 0 <= x < size s -> ravel s (digits s x) = x.
Proof. intros P X; rewrite ravel_digits by auto; apply Z.mod_small; auto. Qed.

Theorem ravel_injective s i j : inbox s i -> inbox s j -> ravel s i = ravel s j -> i = j.
Proof. intros I J E; rewrite <- (digits_ravel s i I), <- (digits_ravel s j J), E; reflexivity. Qed.

Theorem digits_injective s x y :
  positive s -> 0 <= x < size s -> 0 <= y < size s -> digits s x = digits s y -> x = y.
Proof.
  intros P X Y E; rewrite <- (ravel_digits_inside s x P X), <- (ravel_digits_inside s y P Y), E; reflexivity.
Qed.

(** Digits of two shapes, one after the other. *)
Theorem digits_app s r x :
  positive s -> positive r -> digits (s ++ r) x = digits s (x / size r) ++ digits r x.
Proof.
  intros P R; pose proof (size_positive r R); induction s as [|n s IH]; simpl; [reflexivity|].
  destruct (positive_cons _ _ P) as [N P']; pose proof (size_positive s P').
  rewrite (IH P'), size_app, (Z.mul_comm (size s)), Z.div_div by lia; reflexivity.
Qed.
