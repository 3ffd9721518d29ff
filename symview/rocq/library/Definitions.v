(** What the main theorems speak of, beside ZArith: all that has to be read to know what a theorem says. *)
From Coq Require Import ZArith List Zeuclid.
Import ListNotations.
Open Scope Z_scope.

(** Operators that ZArith has no name for: a quotient rounded up, a number wrapped into a range, Σ_{i<n} (b + i·a) / m. *)
Definition ceildiv (a b : Z) : Z := - ((- a) / b).
Definition wrap (a low size : Z) : Z := (a - low) mod size + low.
Fixpoint floor_sum_nat (n : nat) (m a b : Z) : Z :=
  match n with O => 0 | S k => floor_sum_nat k m a b + (b + Z.of_nat k * a) / m end.
Definition floor_sum (n m a b : Z) : Z := floor_sum_nat (Z.to_nat n) m a b.

(** Values that change along a list: each element meets [ok], beside the values before it. *)
Fixpoint along {A S} (next : S -> A -> S) (ok : S -> A -> Prop) (state : S) (l : list A) : Prop :=
  match l with [] => True | e :: l' => ok state e /\ along next ok (next state e) l' end.
