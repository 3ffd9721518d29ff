(** Which layouts have a complement: exactly those that Definition 2.5 of "CuTe Layout Algebra" admits, once modes of
    size 1 are left out. It rests on this: a layout that takes [0, size) to itself, one to one, is compact, so its
    strides are the products of the sizes of the modes with smaller strides. *)
From Coq Require Import ZArith Lia List Permutation.
From Symview Require Import Layouts Compositions Complements.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** Each stride is W times the sizes of the modes before. *)
Fixpoint in_a_row (W : Z) (L : layout) : Prop :=
  match L with
  | [] => True
  | (n, d) :: L' => d = W /\ in_a_row (n * W) L'
  end.

(** The values are 0, W, 2W, …, as many as the size says, each once. *)
Definition fills (W : Z) (L : layout) : Prop :=
  (forall x, 0 <= x < size L -> exists y, 0 <= y < size L /\ value L x = W * y) /\
  (forall y, 0 <= y < size L -> exists x, 0 <= x < size L /\ value L x = W * y) /\
  (forall x x', 0 <= x < size L -> 0 <= x' < size L -> value L x = value L x' -> x = x').

Definition at_least_2 (L : layout) : Prop := Forall (fun m => 2 <= fst m) L.

(** * A layout that fills an interval is compact *)

Lemma at_least_2_positive L : at_least_2 L -> positive L.
Proof. unfold at_least_2, positive; apply Forall_impl; intros; lia. Qed.

Lemma value_at_least D L : positive L -> 0 <= D -> Forall (fun m => D <= snd m) L ->
  forall x, 0 < x < size L -> D <= value L x.
Proof.
  intros P Dp; induction L as [|[n d] L IH]; intros F x X; [cbn [size] in X; lia|].
  destruct (positive_cons _ _ _ P) as [N P']; inversion F as [|? ? Fd F']; subst; cbn [fst snd size] in *.
  rewrite value_inside by lia; pose proof (Z.div_mod x n ltac:(lia)); pose proof (Z.mod_pos_bound x n ltac:(lia)).
  pose proof (quotient_below x n (size L) N ltac:(lia)) as Q.
  destruct (Z.eq_dec (x / n) 0) as [E|E]; [rewrite E, value_0; nia|].
  specialize (IH P' F' (x / n) ltac:(lia)); nia.
Qed.

(** Each stride is a value, at the place of its mode. *)
Lemma stride_is_a_value L : at_least_2 L -> forall m, In m L -> exists x, 0 < x < size L /\ value L x = snd m.
Proof.
  induction L as [|[n d] L IH]; intros F m J; [destruct J|].
  inversion F as [|? ? N F']; subst; cbn [fst] in N; pose proof (size_positive L (at_least_2_positive L F')) as S.
  destruct J as [<-|J].
  - exists 1; cbn [size snd]; split; [nia|apply value_1; auto].
  - destruct (IH F' m J) as (x & X & V); exists (0 + n * x); cbn [size]; split; [nia|].
    rewrite value_inside by nia; rewrite number_mod, number_div by lia; lia.
Qed.

Lemma first_stride W L : 1 <= W -> at_least_2 L -> L <> [] -> fills W L -> exists n, In (n, W) L.
Proof.
  intros Pw F NE (In & Onto & Inj); pose proof (at_least_2_positive L F) as P.
  assert (Big : 2 <= size L).
  { destruct L as [|[n d] L]; [congruence|]; inversion F as [|? ? N F']; subst; cbn [fst size] in *.
    pose proof (size_positive L (at_least_2_positive L F')); nia. }
  assert (Strides : forall m, List.In m L -> exists k, 1 <= k /\ snd m = W * k).
  { intros m J; destruct (stride_is_a_value L F m J) as (x & X & V); destruct (In x ltac:(lia)) as (y & Y & E).
    exists y; split; [|congruence]; destruct (Z.eq_dec y 0) as [->|]; [|lia].
    assert (x = 0); [apply Inj; [lia|lia|rewrite E, value_0; ring]|lia]. }
  assert (Decide : (exists n, List.In (n, W) L) \/ forall m, List.In m L -> snd m <> W).
  { clear; induction L as [|[n d] L [(k & J)|IH]]; [right; intros m []|left; exists k; right; auto|].
    destruct (Z.eq_dec d W) as [->|N]; [left; exists n; left; auto|right; intros m [<-|J]; auto]. }
  destruct Decide as [D|D]; [auto|exfalso].
  destruct (Onto 1 ltac:(lia)) as (x & X & V).
  assert (G : 2 * W <= value L x).
  { apply value_at_least; auto; [lia| |].
    - apply Forall_forall; intros m J; destruct (Strides m J) as (k & K & E); specialize (D m J).
      destruct (Z.eq_dec k 1) as [->|]; [lia|nia].
    - destruct (Z.eq_dec x 0) as [->|]; [rewrite value_0 in V; nia|lia]. }
  lia.
Qed.

Lemma fills_permuted W L L' : Permutation L L' -> positive L -> fills W L -> fills W L'.
Proof.
  intros H P (In & Onto & Inj); destruct (permuted L L' H P) as (S & g & g' & G).
  unfold fills; rewrite <- S; split; [|split].
  - intros x X; destruct (G x X) as (_ & (Y & _ & V)); destruct (In (g' x) Y) as (y & Y' & E); exists y; split; auto;
      lia.
  - intros y Y; destruct (Onto y Y) as (x & X & E); destruct (G x X) as ((X' & _ & V) & _); exists (g x); split; auto;
      lia.
  - intros x x' X X' E; destruct (G x X) as (_ & (Y & I & V)); destruct (G x' X') as (_ & (Y' & I' & V')).
    assert (F : g' x = g' x') by (apply Inj; auto; lia); congruence.
Qed.

(** Without the mode n:W, the rest fills the multiples of n·W. *)
Lemma fills_rest W n L : 1 <= W -> 1 <= n -> positive L -> fills W ((n, W) :: L) -> fills (n * W) L.
Proof.
  intros Pw N P (In & Onto & Inj); cbn [size] in *; pose proof (size_positive L P) as S.
  assert (Key : forall k y x, (Z.to_nat y < k)%nat -> 0 <= y < n * size L -> 0 <= x < n * size L ->
    value ((n, W) :: L) x = W * y -> x mod n = y mod n /\ value L (x / n) = W * n * (y / n)).
  { induction k as [|k IH]; intros y x K Y X V; [lia|]; pose proof V as V1; rewrite value_inside in V1 by auto.
    pose proof (Z.div_mod y n ltac:(lia)) as Dy; pose proof (Z.mod_pos_bound y n ltac:(lia)) as My.
    pose proof (Z.mod_pos_bound x n ltac:(lia)) as Mx; pose proof (quotient_below x n _ N X) as Qx.
    pose proof (quotient_below y n _ N Y) as Qy.
    assert (Wy : W * y = W * n * (y / n) + y mod n * W).
    { transitivity (W * (n * (y / n) + y mod n)); [rewrite <- Dy; reflexivity|ring]. }
    assert (C : x mod n = y mod n); [|split; [auto|rewrite C in V1; lia]].
    destruct (Z.eq_dec (y mod n) 0) as [Z0|Z0].
    - destruct (Z.eq_dec (x mod n) 0) as [|X0]; [lia|exfalso].
      assert (X1 : 0 <= (x mod n - 1) + n * (x / n) < n * size L) by nia.
      assert (X2 : 0 <= 0 + n * (x / n) < n * size L) by nia; destruct (In _ X2) as (y2 & Y2 & V2).
      rewrite value_inside, number_mod, number_div in V2 by lia.
      assert (Y1 : 1 <= y) by (assert (0 <= W * y2) by nia; assert (W <= x mod n * W) by nia; nia).
      destruct (IH (y - 1) ((x mod n - 1) + n * (x / n))) as [E _]; try lia.
      + rewrite value_inside by auto; rewrite number_mod, number_div by lia; nia.
      + rewrite number_mod in E by lia.
        replace (y - 1) with ((n - 1) + n * (y / n - 1)) in E by lia; rewrite number_mod in E by lia; lia.
    - destruct (Onto (n * (y / n)) ltac:(nia)) as (x0 & X0 & V0).
      destruct (IH (n * (y / n)) x0) as [E F]; auto; [nia|nia|].
      rewrite (Z.mul_comm n (y / n)), Z.mod_mul in E by lia; rewrite (Z.mul_comm n (y / n)), Z.div_mul in F by lia.
      pose proof (quotient_below x0 n _ N X0) as Q0; assert (X1 : 0 <= y mod n + n * (x0 / n) < n * size L) by nia.
      assert (Ex : x = y mod n + n * (x0 / n)).
      { apply Inj; auto; rewrite V, value_inside by auto; rewrite number_mod, number_div by lia; nia. }
      rewrite Ex; apply number_mod; auto. }
  split; [|split].
  - intros x X; assert (X1 : 0 <= 0 + n * x < n * size L) by nia; destruct (In (0 + n * x) X1) as (y & Y & V).
    destruct (Key (Datatypes.S (Z.to_nat y)) y (0 + n * x)) as [E F]; auto.
    rewrite number_div in F by lia; exists (y / n); split; [apply quotient_below; auto|lia].
  - intros y Y; destruct (Onto (n * y) ltac:(nia)) as (x & X & V).
    destruct (Key (Datatypes.S (Z.to_nat (n * y))) (n * y) x) as [E F]; auto; [nia|].
    rewrite (Z.mul_comm n y), Z.div_mul in F by lia; exists (x / n); split; [apply quotient_below; auto|lia].
  - intros x x' X X' E; assert (F : 0 + n * x = 0 + n * x'); [|nia]; apply Inj; try nia.
    rewrite !value_inside by nia; rewrite !number_mod, !number_div by lia; lia.
Qed.

Lemma fills_in_a_row : forall k W L, (length L <= k)%nat -> 1 <= W -> at_least_2 L -> fills W L ->
  exists L', Permutation L L' /\ in_a_row W L'.
Proof.
  induction k as [|k IH]; intros W L K Pw F Fill.
  - destruct L; [exists []; split; [constructor|exact I]|simpl in K; lia].
  - destruct L as [|m L]; [exists []; split; [constructor|exact I]|].
    destruct (first_stride W (m :: L) Pw F ltac:(discriminate) Fill) as (n & J).
    destruct (in_split _ _ J) as (L1 & L2 & E).
    assert (H : Permutation (m :: L) ((n, W) :: L1 ++ L2)) by (rewrite E; apply Permutation_sym, Permutation_middle).
    pose proof (Permutation_Forall H F) as F2; inversion F2 as [|? ? N F3]; subst; cbn [fst] in N.
    pose proof (fills_permuted W _ _ H (at_least_2_positive _ F) Fill) as Fill2.
    assert (Fill3 : fills (n * W) (L1 ++ L2)).
    { apply fills_rest; auto; [lia|apply at_least_2_positive; auto]. }
    destruct (IH (n * W) (L1 ++ L2)) as (L' & H' & Row); auto; [|nia|].
    + pose proof (Permutation_length H) as Len; simpl in Len, K; lia.
    + exists ((n, W) :: L'); split; [|split; auto].
      apply (Permutation_trans H); constructor; auto.
Qed.

(** A layout without modes of size 1 that takes [0, size) to itself, one to one, is compact in some order of its
    modes. *)
Theorem bijection_is_compact L : at_least_2 L ->
  (forall x, 0 <= x < size L -> 0 <= value L x < size L) ->
  (forall y, 0 <= y < size L -> exists x, 0 <= x < size L /\ value L x = y) ->
  (forall x x', 0 <= x < size L -> 0 <= x' < size L -> value L x = value L x' -> x = x') ->
  exists L', Permutation L L' /\ in_a_row 1 L'.
Proof.
  intros F In Onto Inj; apply (fills_in_a_row (length L)); auto; [lia|]; split; [|split; auto].
  - intros x X; exists (value L x); split; [auto|lia].
  - intros y Y; destruct (Onto y Y) as (x & X & V); exists x; split; [auto|lia].
Qed.

(** * Which layouts have a complement *)

Lemma admissible_weaken k W A M : (admissible_from (k * W) A M) -> admissible_from W A M.
Proof.
  destruct A as [|[n d] A]; cbn [admissible_from].
  - intros (c & ->); exists (c * k); ring.
  - intros (N & D & (c & E) & H); repeat split; auto; exists (c * k); rewrite E; ring.
Qed.

Lemma part_is_admissible T : forall W A B M, 1 <= W -> at_least_2 T -> in_a_row W T -> W * size T = M ->
  Permutation T (A ++ B) -> exists A', Permutation A A' /\ admissible_from W A' M.
Proof.
  induction T as [|[n d] T IH]; intros W A B M Pw F Row Size H.
  - apply Permutation_nil in H; destruct A; [|discriminate]; exists []; split; [constructor|].
    exists 1; cbn [size] in Size; lia.
  - destruct Row as [-> Row]; inversion F as [|? ? N F']; subst; cbn [fst size] in *.
    assert (J : In (n, W) (A ++ B)) by (apply (Permutation_in _ H); left; auto).
    apply in_app_or in J; destruct J as [J|J]; destruct (in_split _ _ J) as (L1 & L2 & ->).
    + assert (H' : Permutation T ((L1 ++ L2) ++ B)).
      { apply (Permutation_cons_inv (a := (n, W))), (Permutation_trans H); rewrite <- !app_assoc; cbn [app].
        apply Permutation_sym, Permutation_middle. }
      destruct (IH (n * W) (L1 ++ L2) B (W * (n * size T))) as (A' & P & Ad); auto; [nia|ring|].
      exists ((n, W) :: A'); split.
      * apply (Permutation_trans (l' := (n, W) :: L1 ++ L2));
          [apply Permutation_sym, Permutation_middle|constructor; auto].
      * cbn [admissible_from]; repeat split; auto; [lia|exists 1; ring].
    + assert (H' : Permutation T (A ++ (L1 ++ L2))).
      { apply (Permutation_cons_inv (a := (n, W))), (Permutation_trans H); rewrite !app_assoc.
        apply Permutation_sym, Permutation_middle. }
      destruct (IH (n * W) A (L1 ++ L2) (W * (n * size T))) as (A' & P & Ad); auto; [nia|ring|].
      exists A'; split; auto; apply (admissible_weaken n); auto.
Qed.

(** Modes of size 1 can be left out. *)
Fixpoint without_ones (L : layout) : layout :=
  match L with
  | [] => []
  | (n, d) :: L' => if n =? 1 then without_ones L' else (n, d) :: without_ones L'
  end.

Lemma without_ones_same L : positive L -> at_least_2 (without_ones L) /\ size (without_ones L) = size L /\
  forall x, 0 <= x < size L -> value (without_ones L) x = value L x.
Proof.
  induction L as [|[n d] L IH]; intros P; [repeat split; constructor|].
  destruct (positive_cons _ _ _ P) as [N P']; destruct (IH P') as (F & S & V); cbn [without_ones size].
  destruct (Z.eqb_spec n 1) as [->|D].
  - split; [auto|split; [lia|]]; intros x X; rewrite (value_inside 1 d L), V by lia.
    rewrite Z.mod_1_r, Z.div_1_r; lia.
  - split; [constructor; [cbn [fst]; lia|auto]|split; [cbn [size]; rewrite S; auto|]]; intros x X.
    rewrite !value_inside, V by (try (apply quotient_below); auto; rewrite ?S; auto); auto.
Qed.

Lemma without_ones_app A B : without_ones (A ++ B) = without_ones A ++ without_ones B.
Proof.
  induction A as [|[n d] A IH]; cbn [app without_ones]; [reflexivity|].
  destruct (n =? 1); cbn [app]; rewrite IH; reflexivity.
Qed.

Lemma without_ones_none A : at_least_2 A -> without_ones A = A.
Proof.
  induction A as [|[n d] A IH]; intros F; [reflexivity|]; inversion F as [|? ? N F']; subst; cbn [fst] in N.
  cbn [without_ones]; destruct (Z.eqb_spec n 1); [lia|rewrite IH; auto].
Qed.

(** A layout A without modes of size 1 has a layout B beside it, such that (A, B) takes [0, M) to itself, one to one, if
    and only if {A, M} is admissible in some order of its modes. *)
Theorem complement_exists_iff A M : at_least_2 A -> 1 <= M ->
  (exists B, positive B /\ size (A ++ B) = M /\
     (forall x, 0 <= x < M -> 0 <= value (A ++ B) x < M) /\
     (forall y, 0 <= y < M -> exists x, 0 <= x < M /\ value (A ++ B) x = y) /\
     (forall x x', 0 <= x < M -> 0 <= x' < M -> value (A ++ B) x = value (A ++ B) x' -> x = x')) <->
  exists A', Permutation A A' /\ admissible A' M.
Proof.
  intros F Pm; pose proof (at_least_2_positive A F) as P; split.
  - intros (B & PB & S & In & Onto & Inj).
    destruct (without_ones_same (A ++ B)) as (F' & S' & V); [apply positive_app; auto|].
    rewrite without_ones_app, without_ones_none in * by auto; rewrite S in *.
    destruct (bijection_is_compact (A ++ without_ones B)) as (T & H & Row); rewrite ?S'; auto.
    + intros x X; rewrite V; auto.
    + intros y Y; destruct (Onto y Y) as (x & X & E); exists x; rewrite V; auto.
    + intros x x' X X' E; rewrite !V in E; auto.
    + assert (FT : at_least_2 T) by (unfold at_least_2; apply (Permutation_Forall H); auto).
      destruct (permuted _ _ H (at_least_2_positive _ F')) as (ST & _).
      destruct (part_is_admissible T 1 A (without_ones B) M) as (A' & H' & Ad); auto;
        [lia|lia|apply Permutation_sym; auto|].
      exists A'; split; [auto|split; auto].
  - intros (A' & H & Ad); exists (complement A' M); pose proof Ad as [_ Ad'].
    split; [apply (complement_positive A' 1 M); auto; lia|]; apply proposition_2_7; auto.
Qed.
