(** The definitions in main theorems, besides ZArith: read these to know what a theorem states. *)
From Coq Require Import ZArith List Zeuclid.
Import ListNotations.
Open Scope Z_scope.

(** Operators that ZArith has no name for: a quotient rounded up, a number wrapped into a range, Σ_{i<n} (b + i·a) / m. *)
Definition ceildiv (a b : Z) : Z := - ((- a) / b).
Definition wrap (a low size : Z) : Z := (a - low) mod size + low.
Fixpoint floor_sum_nat (n : nat) (m a b : Z) : Z :=
  match n with O => 0 | S k => floor_sum_nat k m a b + (b + Z.of_nat k * a) / m end.
Definition floor_sum (n m a b : Z) : Z := floor_sum_nat (Z.to_nat n) m a b.

(** Values that change along a list: each element satisfies [ok], given the values before it. *)
Fixpoint along {A S} (next : S -> A -> S) (ok : S -> A -> Prop) (state : S) (l : list A) : Prop :=
  match l with [] => True | e :: l' => ok state e /\ along next ok (next state e) l' end.

(** A layout of CuTe: modes of a size and a stride, the first one fastest, the last one without end. *)
Fixpoint layout_at (L : list (Z * Z)) (x : Z) : Z :=
  match L with
  | [] => 0
  | [(n, d)] => x * d
  | (n, d) :: L' => (x mod n) * d + layout_at L' (x / n)
  end.
Definition layout_size (L : list (Z * Z)) : Z := fold_right (fun m p => fst m * p) 1 L.
Definition layout_positive (L : list (Z * Z)) : Prop := Forall (fun m => 1 <= fst m) L.
(** R is the composition A ∘ B: a list of modes for each mode of B, of its size; together they have these values. *)
Definition layout_composes (A B : list (Z * Z)) (R : list (list (Z * Z))) : Prop :=
  map layout_size R = map fst B /\ Forall layout_positive R /\
  forall i, 0 <= i < layout_size B -> 0 <= layout_at B i /\ layout_at (concat R) i = layout_at A (layout_at B i).
Definition layout_cosize (L : list (Z * Z)) : Z := fold_right (fun m s => (fst m - 1) * snd m + s) 1 L.
(** The fewest modes: none has size 1, unless it is the only one, and none continues the one before. *)
Fixpoint layout_coalesced (L : list (Z * Z)) : Prop :=
  match L with
  | (n, d) :: ((m, e) :: _) as L' => n <> 1 /\ m <> 1 /\ e <> n * d /\ layout_coalesced L'
  | _ => True
  end.
(** R has the values of A, in the fewest modes. *)
Definition layout_coalesces (A R : list (Z * Z)) : Prop :=
  layout_size R = layout_size A /\ (forall i, 0 <= i < layout_size A -> layout_at R i = layout_at A i) /\ layout_coalesced R.
(** R inverts A, and no mode of A continues where R ends. A left inverse allows equal values of A, a strict one does not. *)
Definition layout_right_inverse (A R : list (Z * Z)) : Prop :=
  (forall i, 0 <= i < layout_size R -> layout_at A (layout_at R i) = i) /\
  Forall (fun m => fst m = 1 \/ snd m <> layout_size R) A.
Definition layout_left_inverse (A R : list (Z * Z)) : Prop := forall i, 0 <= i < layout_size A ->
  0 <= layout_at A i /\ layout_at A (layout_at R (layout_at A i)) = layout_at A i.
Definition layout_strict_left_inverse (A R : list (Z * Z)) : Prop := forall i, 0 <= i < layout_size A ->
  0 <= layout_at A i /\ layout_at R (layout_at A i) = i.
(** The complement of a layout up to a bound: before each moving mode, in the order of strides, as many copies as fit;
    after the last, as many as the bound needs. *)
Fixpoint layout_insert (m : Z * Z) (L : list (Z * Z)) : list (Z * Z) :=
  match L with [] => [m] | k :: L' => if snd m <=? snd k then m :: L else k :: layout_insert m L' end.
Definition layout_moving (L : list (Z * Z)) : list (Z * Z) :=
  fold_right layout_insert [] (filter (fun m => negb ((fst m =? 1) || (snd m =? 0))) L).
Fixpoint layout_gaps (L : list (Z * Z)) (reach bound : Z) : list (Z * Z) :=
  match L with
  | [] => [(ceildiv bound reach, reach)]
  | (n, d) :: L' => (Z.max 1 (d / reach), reach) :: layout_gaps L' (n * d) bound
  end.
Definition layout_complement (L : list (Z * Z)) (bound : Z) : list (Z * Z) := layout_gaps (layout_moving L) 1 bound.

(** A strided view: sizes, strides, an offset, and for each dim the range of valid indices (no ranges: no mask). *)
Definition view := (list Z * list Z * Z * list (Z * Z))%type.
Fixpoint in_box (s i : list Z) : Prop :=
  match s, i with [], [] => True | n :: s', x :: i' => 0 <= x < n /\ in_box s' i' | _, _ => False end.
Fixpoint dot (t i : list Z) : Z := match t, i with a :: t', x :: i' => a * x + dot t' i' | _, _ => 0 end.
Fixpoint in_mask (m : list (Z * Z)) (i : list Z) : bool :=
  match m, i with (a, b) :: m', x :: i' => ((a <=? x) && (x <? b) && in_mask m' i')%bool | _, _ => true end.
Fixpoint size_of (s : list Z) : Z := match s with [] => 1 | n :: s' => n * size_of s' end.
(** The row-major digits of a number. *)
Fixpoint digits (s : list Z) (x : Z) : list Z :=
  match s with [] => [] | n :: s' => (x / size_of s') mod n :: digits s' x end.
(** Where an index leads through views, the last one first: to an address, to a hidden element, or out of bounds. *)
Inductive place := Address (x : Z) | Hidden | Outside.
Fixpoint look (views : list view) (i : list Z) : place :=
  match views with
  | [] => Address 0
  | (_, t, o, m) :: before =>
      if in_mask m i then
        match before with
        | [] => Address (dot t i + o)
        | (s, _, _, _) :: _ =>
            if ((0 <=? dot t i + o) && (dot t i + o <? size_of s))%bool then look before (digits s (dot t i + o)) else Outside
        end
      else Hidden
  end.

(** Shared memory: consecutive elements of [element] bytes, in words of [width] bytes; word w is in bank w mod banks.
    A phase is a list of elements that are read at once, by their places; its ways are the largest number of its
    different words in one bank. *)
Fixpoint run (n : nat) (x : Z) : list Z := match n with O => [] | S k => x :: run k (x + 1) end.
Definition words (element width x : Z) : list Z :=
  let first := x * element / width in run (Z.to_nat (((x + 1) * element - 1) / width - first + 1)) first.
Definition ways (element banks width : Z) (phase : list Z) : Z :=
  let read := map (fun w => w mod banks) (nodup Z.eq_dec (flat_map (words element width) phase)) in
  fold_right Z.max 0 (map (fun b => Z.of_nat (count_occ Z.eq_dec read b)) (run (Z.to_nat banks) 0)).
Definition most_ways (element banks width : Z) (phases : list (list Z)) : Z :=
  fold_right Z.max 0 (map (ways element banks width) phases).
(** The place of a coordinate by bases: the xor of the places of its bits 1, 2, 4, … in each dim. *)
Fixpoint by_bits (basis : list Z) (x : Z) : Z :=
  match basis with [] => 0 | b :: basis' => Z.lxor (if Z.odd x then b else 0) (by_bits basis' (x / 2)) end.
Fixpoint by_bases (bases : list (list Z)) (x : list Z) : Z :=
  match bases, x with b :: bases', c :: x' => Z.lxor (by_bits b c) (by_bases bases' x') | _, _ => 0 end.
(** A coordinate plus each sum of vectors, by bits. *)
Definition add_bits (x y : list Z) : list Z := map (fun p => Z.lxor (fst p) (snd p)) (combine x y).
Fixpoint sums (vectors : list (list Z)) (x : list Z) : list (list Z) :=
  match vectors with [] => [x] | v :: vectors' => sums vectors' x ++ sums vectors' (add_bits v x) end.
(** The index before a step that an index after it shows: sizes before, sizes after, the index. *)
Inductive step := Permute (axes : list Z) | Flip (axes : list Z) | Slice (firsts_and_steps : list (Z * Z)) | Expand | Reshape.
Fixpoint value_at (axes i : list Z) (a : Z) : Z :=
  match axes, i with b :: axes', x :: i' => if a =? b then x else value_at axes' i' a | _, _ => 0 end.
Fixpoint number_of (s i : list Z) : Z :=
  match s, i with _ :: s', x :: i' => x * size_of s' + number_of s' i' | _, _ => 0 end.
Definition shows (how : step) (before after i : list Z) : list Z :=
  match how with
  | Permute axes => map (value_at axes i) (run (length before) 0)
  | Flip axes => map (fun '(a, (n, x)) => if existsb (Z.eqb a) axes then n - 1 - x else x)
                     (combine (run (length before) 0) (combine before i))
  | Slice rows => map (fun '((first, every), x) => first + x * every) (combine rows i)
  | Expand => map (fun '(n, x) => if n =? 1 then 0 else x) (combine before i)
  | Reshape => digits before (number_of after i)
  end.
