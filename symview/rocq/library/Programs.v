(** Programs of movement operations: the definitions in their main theorems, and the tactics that prove them.  No axioms. *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Definitions Steps.
Import ListNotations.
Open Scope Z_scope.

(** A tensor: its sizes, whether all steps before it are allowed, and at each index an element, or None for padding. *)
Record tensor (E : Type) := Tensor { sizes : list Z; allowed : Prop; element : list Z -> option E }.
Arguments Tensor {E}. Arguments sizes {E}. Arguments allowed {E}. Arguments element {E}.
(** If the first is allowed, so is the second, with the same sizes, and the same elements at each index. *)
Definition shows_same {E} (t u : tensor E) : Prop :=
  allowed t -> allowed u /\ sizes t = sizes u /\ forall i, in_box (sizes t) i -> element t i = element u i.

Fixpoint all2 (p : Z -> Z -> Prop) (a b : list Z) : Prop :=
  match a, b with [], [] => True | x :: a', y :: b' => p x y /\ all2 p a' b' | _, _ => False end.
Fixpoint map2 (f : Z -> Z -> Z) (a b : list Z) : list Z :=
  match a, b with x :: a', y :: b' => f x y :: map2 f a' b' | _, _ => [] end.
Fixpoint inside (s i : list Z) : bool :=
  match s, i with n :: s', x :: i' => ((0 <=? x) && (x <? n) && inside s' i')%bool | _, _ => true end.
Definition not_below_0 (s : list Z) : Prop := fold_right (fun n p => 0 <= n /\ p) True s.
Fixpoint position (a : nat) (p : list nat) : nat :=
  match p with [] => O | b :: p' => if Nat.eqb a b then O else S (position a p') end.
Fixpoint changed (axis : nat) (f : Z -> Z) (l : list Z) : list Z :=
  match l, axis with [], _ => [] | x :: l', O => f x :: l' | x :: l', S a => x :: changed a f l' end.

(** The steps. A tensor of any elements; its dims in another order; some dims reversed. *)
Definition source {E} (x : list Z -> E) (s : list Z) : tensor E := Tensor s (not_below_0 s) (fun i => Some (x i)).
Definition permute {E} (p : list nat) (t : tensor E) : tensor E :=
  Tensor (map (fun a => nth a (sizes t) 0) p) (allowed t)
    (fun i => element t (map (fun a => nth (position a p) i 0) (seq 0 (length p)))).
Definition flip {E} (axes : list nat) (t : tensor E) : tensor E :=
  Tensor (sizes t) (allowed t)
    (fun i => element t (fold_right (fun a j => changed a (fun x => nth a (sizes t) 0 - 1 - x) j) i axes)).
(** From [first] to [last], excluded, by [step]; padding before and after; dims of size 1 repeated. *)
Definition slice {E} (first last step : list Z) (t : tensor E) : tensor E :=
  Tensor (map2 ceildiv (map2 Z.sub last first) step)
    (allowed t /\ not_below_0 first /\ all2 Z.le first last /\ all2 Z.le last (sizes t) /\ not_below_0 (map Z.pred step))
    (fun i => element t (map2 Z.add first (map2 Z.mul i step))).
Definition pad {E} (before after : list Z) (t : tensor E) : tensor E :=
  Tensor (map2 Z.add (map2 Z.add before (sizes t)) after) (allowed t /\ not_below_0 before /\ not_below_0 after)
    (fun i => let j := map2 Z.sub i before in if inside (sizes t) j then element t j else None).
Definition expand {E} (s : list Z) (t : tensor E) : tensor E :=
  Tensor s (allowed t /\ not_below_0 s /\ all2 (fun n m => n = 1 \/ n = m) (sizes t) s)
    (fun i => element t (map2 (fun n x => if n =? 1 then 0 else x) (sizes t) i)).
(** Both in a row along an axis. *)
Definition concat {E} (axis : nat) (t u : tensor E) : tensor E :=
  let n := nth axis (sizes t) 0 in
  Tensor (changed axis (fun k => k + nth axis (sizes u) 0) (sizes t))
    (allowed t /\ allowed u /\ changed axis (fun _ => 0) (sizes t) = changed axis (fun _ => 0) (sizes u))
    (fun i => if nth axis i 0 <? n then element t i else element u (changed axis (fun x => x - n) i)).
(** The same elements in another shape; through a view: its addresses are inside, unless a mask hides them. *)
Fixpoint number_of (s i : list Z) : Z :=
  match s, i with _ :: s', x :: i' => x * size_of s' + number_of s' i' | _, _ => 0 end.
Definition reshape {E} (s : list Z) (t : tensor E) : tensor E :=
  Tensor s (allowed t /\ not_below_0 s /\ size_of (sizes t) = size_of s)
    (fun i => element t (digits (sizes t) (number_of s i))).
Definition read {E} (v : view) (t : tensor E) : tensor E :=
  let '(s, d, o, m) := v in
  Tensor s (allowed t /\ not_below_0 s /\ Forall (fun b => 0 <= fst b <= snd b) m /\ all2 Z.le (map snd m) (firstn (length m) s) /\
            forall i, in_box s i -> in_mask m i = true -> 0 <= dot d i + o < size_of (sizes t))
    (fun i => if in_mask m i then element t (digits (sizes t) (dot d i + o)) else None).

Ltac sv_unfolded :=
  cbn [sizes allowed element source permute flip slice pad expand concat reshape read not_below_0 all2 map2 map inside position changed
       nth fold_right seq length Nat.eqb in_box] in *.
Ltac sv_linear :=
  first [lia | unfold ceildiv, Z.pred in *; Z.to_euclidean_division_equations; first [lia | nia]].
Ltac sv_rows := first [reflexivity | sv_linear | progress f_equal; sv_rows].
Ltac sv_program :=
  unfold shows_same; sv_unfolded; intros;
  repeat match goal with H : _ /\ _ |- _ => destruct H | H : [] = _ |- _ => clear H | H : _ :: _ = _ |- _ => injection H; clear H; intros end;
  split; [repeat split; sv_rows|split; [sv_rows|]];
  intros i' b'; repeat (destruct i' as [|? i']; sv_unfolded; try tauto);
  repeat match goal with H : _ /\ _ |- _ => destruct H end;
  repeat match goal with
  | |- context [if ?b then _ else _] => let h := fresh in destruct b eqn:h
  | H : context [if ?b then _ else _] |- _ => let h := fresh in destruct b eqn:h
  end;
  first [reflexivity | sv_rows | exfalso; sv_linear].
