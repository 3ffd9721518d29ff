(** Layouts: of numbers by computation at every index.  No axioms. *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Definitions Steps.
Import ListNotations.
Open Scope Z_scope.

Lemma sv_same_values (n : Z) (f g : Z -> Z) :
  forallb (fun i => f i =? g i) (sv_range 0 n) = true -> forall i, 0 <= i < n -> f i = g i.
Proof. intros H i B; apply Z.eqb_eq, (sv_everywhere _ _ _ H i B). Qed.

Lemma sv_rising (n : Z) (f : Z -> Z) :
  forallb (fun i => f i <? f (i + 1)) (sv_range 0 n) = true -> forall i, 0 <= i < n -> f i < f (i + 1).
Proof. intros H i B; apply Z.ltb_lt, (sv_everywhere _ _ _ H i B). Qed.

(** Each number below n is a value of f, at the index that g gives. *)
Lemma sv_reached (n m : Z) (f g : Z -> Z) :
  forallb (fun x => (0 <=? g x) && (g x <? m) && (f (g x) =? x)) (sv_range 0 n) = true ->
  forall x, 0 <= x < n -> exists i, 0 <= i < m /\ f i = x.
Proof.
  intros H x B; pose proof (sv_everywhere _ _ _ H x B) as T; cbv beta in T.
  apply andb_true_iff in T; destruct T as [T E]; apply andb_true_iff in T; destruct T as [L U].
  exists (g x); split; [lia|apply Z.eqb_eq, E].
Qed.

(** The digits of a number, largest steps first: each adds to one of two sums. *)
Fixpoint sv_parts (steps : list (Z * Z * Z)) (x : Z) : Z * Z :=
  match steps with
  | [] => (0, 0)
  | (d, v, p) :: rest => let (a, b) := sv_parts rest (x mod d) in (a + x / d * v, b + x / d * p)
  end.
Lemma sv_sums_apart (steps : list (Z * Z * Z)) (n m : Z) (f g h : Z -> Z) :
  forallb (fun i => forallb (fun j => let (a, b) := sv_parts steps (f i + g j) in (a =? f i) && (b =? h j)) (sv_range 0 m))
    (sv_range 0 n) = true ->
  forall i j k l, 0 <= i < n -> 0 <= j < m -> 0 <= k < n -> 0 <= l < m -> f i + g j = f k + g l -> f i = f k /\ h j = h l.
Proof.
  intros H i j k l I J K L E.
  pose proof (sv_everywhere _ _ _ (sv_everywhere _ _ _ H i I) j J) as S.
  pose proof (sv_everywhere _ _ _ (sv_everywhere _ _ _ H k K) l L) as T.
  cbv beta in S, T; rewrite E in S; destruct (sv_parts steps (f k + g l)) as [a b].
  rewrite andb_true_iff, !Z.eqb_eq in S, T; lia.
Qed.

(** Each operation, by computation at every index; the steps of sums and the index of a value are given. *)
Definition sv_equal (n : Z) (f g : Z -> Z) : bool := forallb (fun i => f i =? g i) (sv_range 0 n).
Definition sv_apart (steps : list (Z * Z * Z)) (A V : list (Z * Z)) (h : Z -> Z) : bool :=
  forallb (fun i => forallb (fun j => let (a, b) := sv_parts steps (layout_at A i + layout_at V j) in
    (a =? layout_at A i) && (b =? h j)) (sv_range 0 (layout_size V))) (sv_range 0 (layout_size A)).
Lemma sv_are_apart steps A V h g : sv_apart steps A V h = true ->
  (forall j, h j = g j) -> layouts_apart A V g.
Proof.
  intros H E i j k l I J K L S; rewrite <- !E.
  exact (sv_sums_apart steps (layout_size A) (layout_size V) (layout_at A) (layout_at V) h H i j k l I J K L S).
Qed.
Ltac sv_checked := repeat match goal with H : (_ && _)%bool = true |- _ => apply andb_true_iff in H; destruct H end;
  repeat match goal with H : (_ =? _) = true |- _ => apply Z.eqb_eq in H end.
Lemma sv_composed A B R : ((layout_size R =? layout_size B) &&
  sv_equal (layout_size B) (layout_at R) (fun i => layout_at A (layout_at B i)))%bool = true -> layout_composed A B R.
Proof. intros H; sv_checked; split; [assumption|]; exact (sv_same_values _ _ _ H0). Qed.
Lemma sv_coalesce A R : ((layout_size R =? layout_size A) && sv_equal (layout_size A) (layout_at R) (layout_at A))%bool = true ->
  layout_coalesced R -> layout_coalesces A R.
Proof. intros H C; sv_checked; split; [assumption|split; [exact (sv_same_values _ _ _ H0)|exact C]]. Qed.
Lemma sv_right_inverse A R : (sv_equal (layout_size R) (fun i => layout_at A (layout_at R i)) (fun i => i) &&
  forallb (fun m => (fst m =? 1) || negb (snd m =? layout_size R)) A)%bool = true -> layout_right_inverse A R.
Proof.
  intros H; sv_checked; split; [exact (sv_same_values _ _ _ H)|]; apply Forall_forall; intros m I.
  rewrite forallb_forall in H0; specialize (H0 m I); lia.
Qed.
Lemma sv_left_inverse A R :
  sv_equal (layout_size A) (fun i => layout_at A (layout_at R (layout_at A i))) (layout_at A) = true -> layout_left_inverse A R.
Proof. intros H; exact (sv_same_values _ _ _ H). Qed.
Lemma sv_strict_left_inverse A R :
  sv_equal (layout_size A) (fun i => layout_at R (layout_at A i)) (fun i => i) = true -> layout_strict_left_inverse A R.
Proof. intros H; exact (sv_same_values _ _ _ H). Qed.
Lemma sv_complement steps A bound R : ((layout_size R =? layout_size (layout_complement A bound)) &&
  sv_equal (layout_size R) (layout_at R) (layout_at (layout_complement A bound)) &&
  forallb (fun j => layout_at R j <? layout_at R (j + 1)) (sv_range 0 (layout_size R - 1)) &&
  sv_apart steps A R (fun j => j))%bool = true -> layout_complements A bound R.
Proof.
  intros H; sv_checked; split; [assumption|split; [exact (sv_same_values _ _ _ H2)|split]].
  - exact (sv_rising _ (layout_at R) H1).
  - exact (sv_are_apart steps A R (fun j => j) (fun j => j) H0 (fun j => eq_refl)).
Qed.
Lemma sv_divided index A B U V : (let C := layout_complement B (layout_size A) in
  (layout_size U =? layout_size B) && (layout_size V =? layout_size C) && ((layout_size (U ++ V) =? layout_size (B ++ C)) &&
  sv_equal (layout_size (B ++ C)) (layout_at (U ++ V)) (fun i => layout_at A (layout_at (B ++ C) i))) &&
  forallb (fun x => (0 <=? layout_at index x) && (layout_at index x <? layout_size (B ++ C)) &&
    (layout_at (B ++ C) (layout_at index x) =? x)) (sv_range 0 (layout_size A)))%bool = true -> layout_divided A B U V.
Proof.
  intros H; unfold layout_divided; cbv zeta in *; apply andb_true_iff in H; destruct H as [H R].
  apply andb_true_iff in H; destruct H as [H S]; apply sv_composed in S; sv_checked.
  repeat (split; [assumption|]); exact (sv_reached _ _ (layout_at _) (layout_at index) R).
Qed.
Lemma sv_multiplied steps A B V : (((layout_size V =? layout_size B) && sv_equal (layout_size B) (layout_at V)
    (fun i => layout_at (layout_complement A (layout_size A * layout_cosize B)) (layout_at B i))) &&
  sv_apart steps A V (layout_at B))%bool = true -> layout_multiplied A B V.
Proof.
  intros H; apply andb_true_iff in H; destruct H as [H S]; split; [exact (sv_composed _ _ _ H)|].
  exact (sv_are_apart steps A V (layout_at B) (layout_at B) S (fun j => eq_refl)).
Qed.
