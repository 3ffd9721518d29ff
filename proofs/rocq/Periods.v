(** One parametric size: the inner view (n):(t). Its condition changes no more after P_1/gcd(P_1, t) steps, P_1 being
    the place value of the first outer dim.

    Source: proofs/README.md, "One parametric size". "Merging tensor views" asks in section 4.3 for a way to
    calculate which overflows occur: those of the first period are all. *)
From Coq Require Import ZArith Lia List.
From Symview Require Import Digits Theorem10 Carries.
Import ListNotations.
Local Open Scope Z_scope.

(** The place value of the first dim. *)
Definition first_place (s : list Z) : Z := hd 1 (contiguous s).

Lemma places_divide_first s P : positive s -> In P (contiguous s) -> (P | first_place s).
Proof.
  intros Pos; unfold first_place; destruct s as [|n s]; intros I; [destruct I|].
  destruct (positive_cons _ _ Pos) as [_ Pos']; cbn [contiguous hd] in *; destruct I as [<-|I]; [exists 1; ring|].
  clear Pos; induction s as [|m s IH]; [destruct I|]; destruct (positive_cons _ _ Pos') as [_ Pos''].
  cbn [contiguous size] in *; destruct I as [<-|I]; [exists m; ring|].
  destruct (IH I Pos'') as (k & E); exists (m * k); rewrite E; ring.
Qed.

(** What a step adds is the same after T more steps, where P_1 divides T·t. *)
Lemma steps_repeat s sigma o t T x : positive s -> length sigma = length s -> (first_place s | T * t) ->
  (forall y, y = x \/ y = x + 1 \/ y = x + T \/ y = x + T + 1 -> 0 <= o + y * t < size s) ->
  address s sigma (o + (x + T + 1) * t) - address s sigma (o + (x + T) * t)
  = address s sigma (o + (x + 1) * t) - address s sigma (o + x * t).
Proof.
  intros P L (k & K) In; rewrite !identity by (auto; apply In; auto).
  assert (E : total (fun P => (o + (x + T + 1) * t) / P) (boundaries s sigma)
      - total (fun P => (o + (x + T) * t) / P) (boundaries s sigma)
      = total (fun P => (o + (x + 1) * t) / P) (boundaries s sigma)
      - total (fun P => (o + x * t) / P) (boundaries s sigma)); [|lia].
  pose proof (boundaries_positive s sigma) as Pos; pose proof (boundaries_are_places s sigma) as Places.
  induction (boundaries s sigma) as [|[Q d] b IH]; [reflexivity|]; cbn [total].
  assert (Q1 : 1 <= Q) by (apply Pos; [auto|left; reflexivity]).
  destruct (places_divide_first s Q P (Places Q (or_introl eq_refl))) as (c & C).
  replace (o + (x + T + 1) * t) with (o + (x + 1) * t + (k * c) * Q) by (rewrite C in K; lia).
  replace (o + (x + T) * t) with (o + x * t + (k * c) * Q) by (rewrite C in K; lia).
  rewrite !Z.div_add by lia.
  assert (Rest : total (fun P => (o + (x + T + 1) * t) / P) b - total (fun P => (o + (x + T) * t) / P) b
    = total (fun P => (o + (x + 1) * t) / P) b - total (fun P => (o + x * t) / P) b).
  { apply IH; intros; [apply Pos|apply Places]; simpl; auto. }
  replace (o + (x + 1) * t + (k * c) * Q) with (o + (x + T + 1) * t) by (rewrite C in K; lia).
  replace (o + x * t + (k * c) * Q) with (o + (x + T) * t) by (rewrite C in K; lia); lia.
Qed.

(** A function of one index is affine exactly if all its steps are equal. *)
Lemma affine_of_one_dim f n : affine f [n] <-> forall x, 0 <= x -> x + 1 < n -> f [x + 1] - f [x] = f [1] - f [0].
Proof.
  rewrite affine_iff_equal_steps; split; intros H.
  - intros x X B; apply (H [x] O); [simpl; lia|apply Nat.lt_0_succ|simpl; lia].
  - intros [|x [|y i]] [|j] B J B'; try (simpl in *; lia); try (simpl in B; tauto); apply H; simpl in *; lia.
Qed.

(** Where P_1 divides T·t, (T+1):(t) merges if and only if each longer (n):(t) does that stays inside the tensor. *)
Theorem no_condition_after_a_period s sigma o t T n :
  positive s -> length sigma = length s -> 1 <= T -> (first_place s | T * t) -> T + 1 <= n ->
  (forall i, inbox [n] i -> 0 <= o + dot [t] i < size s) ->
  affine (fun i => address s sigma (o + dot [t] i)) [n] <->
  affine (fun i => address s sigma (o + dot [t] i)) [T + 1].
Proof.
  intros P L T1 Div N In; rewrite !affine_of_one_dim.
  assert (E : forall x, o + dot [t] [x] = o + x * t) by (intros; cbn [dot]; ring); setoid_rewrite E.
  assert (In' : forall x, 0 <= x < n -> 0 <= o + x * t < size s).
  { intros x X; rewrite <- E; apply In; simpl; lia. }
  set (f := fun x => address s sigma (o + x * t)) in *; split; intros H; [intros x X B; apply H; lia|].
  assert (G : forall k x, (Z.to_nat x < k)%nat -> 0 <= x -> x + 1 < n -> f (x + 1) - f x = f 1 - f 0).
  { induction k as [|k IH]; intros x K X B; [lia|]; destruct (Z.lt_ge_cases x T) as [S|S]; [apply H; lia|].
    rewrite <- (IH (x - T)) by lia; pose proof (steps_repeat s sigma o t T (x - T) P L Div) as R.
    replace (x - T + T) with x in R by ring; apply R; intros y Y; apply In'; lia. }
  intros x X B; apply (G (S (Z.to_nat x))); lia.
Qed.

(** The period P_1/gcd(P_1, t) is one. *)
Theorem period_divides P t : P <> 0 -> (P | P / Z.gcd P t * t).
Proof.
  intros N; assert (G : Z.gcd P t <> 0) by (intros E; apply Z.gcd_eq_0_l in E; auto).
  destruct (Z.gcd_divide_l P t) as (a & A), (Z.gcd_divide_r P t) as (b & B).
  set (g := Z.gcd P t) in *; clearbody g; subst P t; exists b; rewrite Z.div_mul by auto; ring.
Qed.
