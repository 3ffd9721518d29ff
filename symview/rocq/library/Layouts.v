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

(** Each number below n is a value of f, at the index that g tells. *)
Lemma sv_reached (n m : Z) (f g : Z -> Z) :
  forallb (fun x => (0 <=? g x) && (g x <? m) && (f (g x) =? x)) (sv_range 0 n) = true ->
  forall x, 0 <= x < n -> exists i, 0 <= i < m /\ f i = x.
Proof.
  intros H x B; pose proof (sv_everywhere _ _ _ H x B) as T; cbv beta in T.
  apply andb_true_iff in T; destruct T as [T E]; apply andb_true_iff in T; destruct T as [L U].
  exists (g x); split; [lia|apply Z.eqb_eq, E].
Qed.

(** What a number is made of, largest steps first: each digit adds to one of two sums. *)
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
