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
(** R is the composition A ∘ B. R inverts A, and no mode of A continues where R ends. A left inverse allows equal values
    of A, a strict one does not. *)
Definition layout_composed (A B R : list (Z * Z)) : Prop :=
  layout_size R = layout_size B /\ forall i, 0 <= i < layout_size B -> layout_at R i = layout_at A (layout_at B i).
Definition layout_right_inverse (A R : list (Z * Z)) : Prop :=
  (forall i, 0 <= i < layout_size R -> layout_at A (layout_at R i) = i) /\
  Forall (fun m => fst m = 1 \/ snd m <> layout_size R) A.
Definition layout_left_inverse (A R : list (Z * Z)) : Prop := forall i, 0 <= i < layout_size A ->
  layout_at A (layout_at R (layout_at A i)) = layout_at A i.
Definition layout_strict_left_inverse (A R : list (Z * Z)) : Prop := forall i, 0 <= i < layout_size A ->
  layout_at R (layout_at A i) = i.
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

(** No two sums of a value of A and one of V are the same, but where both have the same value of A and of g. *)
Definition layouts_apart (A V : list (Z * Z)) (g : Z -> Z) : Prop := forall i j k l,
  0 <= i < layout_size A -> 0 <= j < layout_size V -> 0 <= k < layout_size A -> 0 <= l < layout_size V ->
  layout_at A i + layout_at V j = layout_at A k + layout_at V l -> layout_at A i = layout_at A k /\ g j = g l.
(** R has the values of the complement, which increase. U and V are A ∘ (B, C) for the complement C of B in A, and each
    index of A occurs. V is C ∘ B for the complement C of A: copies of A at values of V share no value. *)
Definition layout_complements (A : list (Z * Z)) (bound : Z) (R : list (Z * Z)) : Prop :=
  layout_size R = layout_size (layout_complement A bound) /\
  (forall j, 0 <= j < layout_size R -> layout_at R j = layout_at (layout_complement A bound) j) /\
  (forall j, 0 <= j < layout_size R - 1 -> layout_at R j < layout_at R (j + 1)) /\ layouts_apart A R (fun j => j).
Definition layout_divided (A B U V : list (Z * Z)) : Prop :=
  let C := layout_complement B (layout_size A) in
  layout_size U = layout_size B /\ layout_size V = layout_size C /\ layout_composed A (B ++ C) (U ++ V) /\
  forall x, 0 <= x < layout_size A -> exists i, 0 <= i < layout_size (B ++ C) /\ layout_at (B ++ C) i = x.
Definition layout_multiplied (A B V : list (Z * Z)) : Prop :=
  layout_composed (layout_complement A (layout_size A * layout_cosize B)) B V /\ layouts_apart A V (layout_at B).

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

(** Views, the last one first. They lead where one view does; they lead where this view does, and nowhere else; at some
    index a view leads out of the one before. *)
Definition shape_of (c : list view) : list Z := match c with [] => [] | (s, _, _, _) :: _ => s end.
Definition one_view (c : list view) : Prop := exists t o m,
  length t = length (shape_of c) /\ (m = [] \/ length m = length (shape_of c)) /\
  forall i, in_box (shape_of c) i -> look c i = look [(shape_of c, t, o, m)] i.
Definition leads_as (c : list view) (v : view) : Prop :=
  shape_of c = shape_of [v] /\ forall i, in_box (shape_of c) i -> look c i = look [v] i.
Fixpoint leaves (c : list view) : Prop :=
  match c with [] => False | _ :: before => (exists i, in_box (shape_of c) i /\ look c i = Outside) \/ leaves before end.
(** Both lead to the same places, and nowhere outside; or to other places, or one outside, at this index. *)
Definition same_places (c d : list view) : Prop :=
  shape_of c = shape_of d /\ forall i, in_box (shape_of c) i -> look c i = look d i /\ look c i <> Outside.
(** An index before another one: by the sum, then in order. *)
Definition total (i : list Z) : Z := fold_right Z.add 0 i.
Fixpoint in_order (i j : list Z) : bool :=
  match i, j with x :: i', y :: j' => ((x <? y) || (x =? y) && in_order i' j')%bool | _, _ => false end.
Definition sooner (i j : list Z) : bool := ((total i <? total j) || (total i =? total j) && in_order i j)%bool.
(** Exactly one of these holds. *)
Fixpoint exactly_one (ps : list Prop) : Prop :=
  match ps with [] => False | p :: ps' => p /\ Forall not ps' \/ ~ p /\ exactly_one ps' end.

(** The elements of a chain of numbers; the view through the first index that no mask hides, and those next to it
    along each axis, as far as no mask hides them. At an index that breaks, the chain leads elsewhere, or a view out of the
    one before, so the chain is not one view. *)
Fixpoint indices (s : list Z) : list (list Z) :=
  match s with
  | [] => [[]]
  | n :: s' => flat_map (fun k => map (cons (Z.of_nat k)) (indices s')) (seq 0 (Z.to_nat n))
  end.
Fixpoint inside_box (s i : list Z) : bool :=
  match s, i with [], [] => true | n :: s', x :: i' => ((0 <=? x) && (x <? n) && inside_box s' i')%bool | _, _ => false end.
Definition seen (c : list view) (i : list Z) : option Z :=
  if inside_box (shape_of c) i then match look c i with Address x => Some x | _ => None end else None.
Fixpoint further (axis : nat) (by_ : Z) (i : list Z) : list Z :=
  match i, axis with [], _ => [] | x :: i', O => x + by_ :: i' | x :: i', S a => x :: further a by_ i' end.
Fixpoint reach (fuel : nat) (axis : nat) (c : list view) (i : list Z) : Z :=
  match fuel with
  | O => 0
  | S k => if seen c i then 1 + reach k axis c (further axis 1 i) else 0
  end.
Definition first_view (c : list view) : view :=
  let s := shape_of c in
  let low := match filter (fun i => if seen c i then true else false) (indices s) with
             | [] => s | i :: others => fold_left (fun j k => if sooner k j then k else j) others i end in
  let here := match seen c low with Some x => x | None => 0 end in
  let step a := match seen c (further a 1 low) with Some x => x - here | None => 0 end in
  let t := map step (seq 0 (length s)) in
  let ends a := (nth a low 0, nth a low 0 + reach (Z.to_nat (nth a s 0)) a c low) in
  (s, t, here - dot t low, map ends (seq 0 (length s))).
Definition breaks (c : list view) (i : list Z) : Prop :=
  ~ one_view c /\ in_box (shape_of c) i /\ (look c i = Outside \/ look c i <> look [first_view c] i).
(** Two views have an element at one address. *)
Definition share (v w : view) : Prop := exists i j x,
  in_box (shape_of [v]) i /\ in_box (shape_of [w]) j /\ look [v] i = Address x /\ look [w] j = Address x.
