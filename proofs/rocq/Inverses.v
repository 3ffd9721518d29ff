(** CuTe's inverses: a layout that undoes another, from the left and from the right.

    Layouts have their modes in any order; the order of their strides is that of a list of (mode, place), where the
    place of a mode is the product of the sizes before it. *)
From Coq Require Import ZArith Lia List Permutation.
From Symview Require Import Layouts.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** The modes with their places: a size and a stride, and P. *)
Fixpoint placed (P : Z) (A : layout) : list ((Z * Z) * Z) :=
  match A with
  | [] => []
  | (n, d) :: A' => ((n, d), P) :: placed (n * P) A'
  end.

(** Each stride is a multiple of where the mode before ends, so that no two modes meet. *)
Fixpoint apart (W : Z) (T : list ((Z * Z) * Z)) : Prop :=
  match T with
  | [] => True
  | ((n, d), P) :: T' => 1 <= d /\ (W | d) /\ apart (n * d) T'
  end.

(** Each stride is where the mode before ends, so that nothing is left out. *)
Fixpoint in_a_row (W : Z) (T : list ((Z * Z) * Z)) : Prop :=
  match T with
  | [] => True
  | ((n, d), P) :: T' => d = W /\ in_a_row (n * d) T'
  end.

(** For each mode, the gap before it, of stride 0, and its size, at its place. *)
Fixpoint left_inverse (W : Z) (T : list ((Z * Z) * Z)) : layout :=
  match T with
  | [] => []
  | ((n, d), P) :: T' => (d / W, 0) :: (n, P) :: left_inverse (n * d) T'
  end.

(** The sizes of the modes, at their places. *)
Definition right_inverse (T : list ((Z * Z) * Z)) : layout := map (fun t => (fst (fst t), snd t)) T.

(** * Coordinates: a number below the size for each mode *)

Definition coordinates (Q : list (((Z * Z) * Z) * Z)) : Prop :=
  Forall (fun t => 0 <= snd t < fst (fst (fst t))) Q.

(** The index and the value at these coordinates. *)
Fixpoint index_at (Q : list (((Z * Z) * Z) * Z)) : Z :=
  match Q with
  | [] => 0
  | (((n, d), P), c) :: Q' => c * P + index_at Q'
  end.
Fixpoint value_at (Q : list (((Z * Z) * Z) * Z)) : Z :=
  match Q with
  | [] => 0
  | (((n, d), P), c) :: Q' => c * d + value_at Q'
  end.

Lemma sums_permuted Q Q' : Permutation Q Q' -> index_at Q = index_at Q' /\ value_at Q = value_at Q'.
Proof.
  induction 1 as [|[[[n d] P] c] Q Q' H IH|[[[n d] P] c] [[[m e] R] b] Q|Q Q' Q'' H1 IH1 H2 IH2];
    cbn [index_at value_at]; lia.
Qed.

(** Coordinates in another order of the modes can be put back in order. *)
Lemma coordinates_in_order Q A : Permutation (map fst Q) A -> coordinates Q ->
  exists Q', map fst Q' = A /\ coordinates Q' /\ index_at Q' = index_at Q /\ value_at Q' = value_at Q.
Proof.
  intros H C; destruct (Permutation_map_inv _ _ (Permutation_sym H)) as (Q' & E & K).
  exists Q'; split; [auto|split]; [unfold coordinates; apply (Permutation_Forall K); auto|].
  destruct (sums_permuted Q Q' K); auto.
Qed.

Lemma value_of_coordinates A : forall P Q, positive A -> map fst Q = placed P A -> coordinates Q ->
  exists a, 0 <= a < size A /\ index_at Q = P * a /\ value A a = value_at Q.
Proof.
  induction A as [|[n d] A IH]; intros P Q Pos E C; cbn [placed] in E.
  - destruct Q; [|discriminate]; exists 0; cbn; lia.
  - destruct Q as [|[t c] Q]; [discriminate|]; cbn [map fst] in E; injection E as -> E.
    destruct (positive_cons _ _ _ Pos) as [N Pos']; inversion C as [|? ? Cc C']; subst; cbn [fst snd] in Cc.
    destruct (IH (n * P) Q Pos' E C') as (a & X & I & V); exists (c + n * a); cbn [size].
    split; [nia|]; cbn [index_at value_at]; split; [rewrite I; ring|].
    rewrite value_inside by nia; rewrite number_mod, number_div by auto; lia.
Qed.

Lemma coordinates_of_index A : forall P a, positive A -> 0 <= a < size A ->
  exists Q, map fst Q = placed P A /\ coordinates Q /\ index_at Q = P * a /\ value_at Q = value A a.
Proof.
  induction A as [|[n d] A IH]; intros P a Pos X.
  - cbn [size] in X; exists []; assert (a = 0) as -> by lia; cbn; repeat split; [constructor|lia].
  - destruct (positive_cons _ _ _ Pos) as [N Pos']; cbn [size] in X.
    destruct (IH (n * P) (a / n) Pos' (quotient_below a n _ N X)) as (Q & E & C & I & V).
    pose proof (Z.div_mod a n ltac:(lia)) as D; pose proof (Z.mod_pos_bound a n ltac:(lia)) as M.
    exists ((((n, d), P), a mod n) :: Q); cbn [map fst placed index_at value_at].
    split; [congruence|split; [constructor; auto|split]].
    + rewrite I; rewrite D at 3; ring.
    + rewrite value_inside by auto; lia.
Qed.

(** * Left inverses *)

Lemma left_inverse_value T : forall W Q, 1 <= W -> apart W T -> map fst Q = T -> coordinates Q ->
  exists y, 0 <= y < size (left_inverse W T) /\ value_at Q = W * y /\ value (left_inverse W T) y = index_at Q.
Proof.
  induction T as [|[[n d] P] T IH]; intros W Q Pw H E C; cbn [apart left_inverse] in *.
  - destruct Q; [|discriminate]; exists 0; cbn; lia.
  - destruct Q as [|[t c] Q]; [discriminate|]; cbn [map fst] in E; injection E as -> E.
    inversion C as [|? ? Cc C']; subst; cbn [fst snd] in Cc; destruct H as (D & (g & G) & H).
    assert (Eg : d / W = g) by (rewrite G; apply Z.div_mul; lia); rewrite Eg.
    assert (Pg : 1 <= g) by nia; assert (Pn : 1 <= n * d) by nia.
    destruct (IH (n * d) Q Pn H eq_refl C') as (y & Y & V & I); exists (0 + g * (c + n * y)); cbn [size].
    assert (B : 0 <= c + n * y < n * size (left_inverse (n * d) (map fst Q))) by nia.
    split; [nia|]; cbn [index_at value_at]; split; [rewrite V, G; ring|].
    rewrite value_next by discriminate; rewrite number_mod, number_div by lia.
    rewrite value_inside by (auto; lia); rewrite number_mod, number_div by auto; lia.
Qed.

(** A left inverse K, with f_K(f_A(a)) = a, for a layout whose modes do not meet in the order T of their strides. *)
Theorem left_inverse_inverts A T : positive A -> Permutation (placed 1 A) T -> apart 1 T ->
  forall a, 0 <= a < size A -> value (left_inverse 1 T) (value A a) = a.
Proof.
  intros P H Ap a X; destruct (coordinates_of_index A 1 a P X) as (Q & E & C & I & V).
  rewrite <- E in H; destruct (coordinates_in_order Q T H C) as (Q' & E' & C' & I' & V').
  destruct (left_inverse_value T 1 Q' ltac:(lia) Ap E' C') as (y & _ & Vy & Iy).
  replace (value A a) with y by lia; lia.
Qed.

(** So such a layout is injective. *)
Theorem apart_injective A T : positive A -> Permutation (placed 1 A) T -> apart 1 T ->
  forall a b, 0 <= a < size A -> 0 <= b < size A -> value A a = value A b -> a = b.
Proof.
  intros P H Ap a b X Y E; rewrite <- (left_inverse_inverts A T P H Ap a X), E.
  apply left_inverse_inverts; auto.
Qed.

(** * Right inverses *)

Lemma right_inverse_value T : forall W i, in_a_row W T -> positive (right_inverse T) ->
  0 <= i < size (right_inverse T) ->
  exists Q, map fst Q = T /\ coordinates Q /\ value_at Q = W * i /\ index_at Q = value (right_inverse T) i.
Proof.
  induction T as [|[[n d] P] T IH]; intros W i H Pos X.
  - cbn in X; exists []; assert (i = 0) as -> by lia; cbn; repeat split; [constructor|lia].
  - change (right_inverse (((n, d), P) :: T)) with ((n, P) :: right_inverse T) in *.
    destruct (positive_cons _ _ _ Pos) as [N Pos']; cbn [in_a_row size] in *; destruct H as [-> H].
    destruct (IH (n * W) (i / n) H Pos' (quotient_below i n _ N X)) as (Q & E & C & V & I).
    pose proof (Z.div_mod i n ltac:(lia)) as D; pose proof (Z.mod_pos_bound i n ltac:(lia)) as M.
    exists ((((n, W), P), i mod n) :: Q); cbn [map fst index_at value_at].
    split; [congruence|split; [constructor; auto|split]].
    + rewrite V; rewrite D at 3; ring.
    + rewrite value_inside by auto; lia.
Qed.

(** A right inverse R, with f_A(f_R(i)) = i, from modes T of A that stand in a row from the stride 1 on; the other modes
    of A stay at 0. *)
Theorem right_inverse_inverts A T rest : positive A -> Permutation (T ++ rest) (placed 1 A) -> in_a_row 1 T ->
  forall i, 0 <= i < size (right_inverse T) -> value A (value (right_inverse T) i) = i.
Proof.
  intros P H Row i X.
  assert (Sizes : forall n d p, In ((n, d), p) (T ++ rest) -> 1 <= n).
  { intros n d p J; apply (Permutation_in _ H) in J; clear - P J.
    revert J; generalize 1 at 1 as W; revert P; induction A as [|[m e] A IH]; intros P W J; [destruct J|].
    destruct (positive_cons _ _ _ P) as [M P']; cbn [placed In] in J; destruct J as [J|J]; [congruence|].
    apply (IH P' _ J). }
  assert (Pos : positive (right_inverse T)).
  { unfold positive, right_inverse; apply Forall_forall; intros t J; apply in_map_iff in J.
    destruct J as ([[n d] p] & <- & J); cbn [fst snd]; apply (Sizes n d p); apply in_or_app; auto. }
  destruct (right_inverse_value T 1 i Row Pos X) as (Q & E & C & V & I).
  set (Z0 := map (fun t => (t, 0)) rest).
  assert (Still : map fst Z0 = rest /\ coordinates Z0 /\ index_at Z0 = 0 /\ value_at Z0 = 0).
  { unfold Z0; clear - Sizes; assert (S' : forall n d p, In ((n, d), p) rest -> 1 <= n).
    { intros n d p J; apply (Sizes n d p), in_or_app; auto. }
    clear Sizes; induction rest as [|[[n d] p] rest IH]; [repeat split; constructor|].
    destruct IH as (E & C & I & V); [intros m e q J; apply (S' m e q); right; auto|].
    cbn [map fst index_at value_at]; repeat split; [congruence| |lia|lia].
    constructor; [cbn [fst snd]; specialize (S' n d p (or_introl eq_refl)); lia|auto]. }
  destruct Still as (E0 & C0 & I0 & V0).
  assert (Sums : index_at (Q ++ Z0) = index_at Q + index_at Z0 /\ value_at (Q ++ Z0) = value_at Q + value_at Z0).
  { clear; induction Q as [|[[[n d] p] c] Q IH]; cbn [app index_at value_at]; lia. }
  destruct (coordinates_in_order (Q ++ Z0) (placed 1 A)) as (Q' & E' & C' & I' & V').
  - rewrite map_app, E, E0; auto.
  - unfold coordinates; apply Forall_app; auto.
  - destruct (value_of_coordinates A 1 Q' P E' C') as (a & _ & Ia & Va).
    replace (value (right_inverse T) i) with a by lia; lia.
Qed.

(** * Both at once *)

(** A layout whose modes stand in a row, in some order of them, takes [0, size) to itself, and its right inverse is its
    left inverse too. *)
Theorem inverse_of_compact A T : positive A -> Permutation T (placed 1 A) -> in_a_row 1 T ->
  size (right_inverse T) = size A /\
  (forall i, 0 <= i < size A -> 0 <= value A i < size A) /\
  (forall i, 0 <= i < size A -> value A (value (right_inverse T) i) = i) /\
  (forall i, 0 <= i < size A -> value (right_inverse T) (value A i) = i).
Proof.
  intros P H Row.
  assert (Size : size (right_inverse T) = size A).
  { assert (S1 : forall T T', Permutation T T' -> size (right_inverse T) = size (right_inverse T')).
    { clear; induction 1 as [|[[n d] p] T T' H IH|[[n d] p] [[m e] q] T|T T' T'' H1 IH1 H2 IH2];
        cbn [right_inverse map fst snd size] in *; try lia; unfold right_inverse in *; cbn [map fst snd size] in *;
          nia. }
    rewrite (S1 _ _ H); generalize 1 at 1; clear; unfold right_inverse.
    induction A as [|[n d] A IH]; intros W; cbn [placed map fst snd size]; [reflexivity|rewrite IH; reflexivity]. }
  assert (Pos : positive (right_inverse T)).
  { assert (S2 : forall W, positive (right_inverse (placed W A))).
    { clear - P; unfold right_inverse; revert P; induction A as [|[n d] A IH]; intros P W; [constructor|].
      destruct (positive_cons _ _ _ P) as [N P']; constructor; [auto|apply (IH P')]. }
    unfold positive, right_inverse in *; specialize (S2 1); revert S2; apply Permutation_Forall.
    apply Permutation_sym, Permutation_map; auto. }
  assert (Right : forall i, 0 <= i < size A -> value A (value (right_inverse T) i) = i).
  { intros i X; apply (right_inverse_inverts A T []); [auto|rewrite app_nil_r; auto|auto|rewrite Size; auto]. }
  assert (Onto : forall a, 0 <= a < size A -> exists i, 0 <= i < size A /\ value A a = i /\
    value (right_inverse T) i = a).
  { intros a X; destruct (coordinates_of_index A 1 a P X) as (Q & E & C & I & V).
    assert (H' : Permutation (map fst Q) T) by (rewrite E; apply Permutation_sym; auto).
    destruct (coordinates_in_order Q T H' C) as (Q' & E' & C' & I' & V').
    assert (G : forall T W Q, in_a_row W T -> positive (right_inverse T) -> map fst Q = T -> coordinates Q ->
      exists i, 0 <= i < size (right_inverse T) /\ value_at Q = W * i /\ value (right_inverse T) i = index_at Q).
    { clear; induction T as [|[[n d] p] T IH]; intros W Q R P E C.
      - destruct Q; [|discriminate]; exists 0; cbn; lia.
      - destruct Q as [|[t c] Q]; [discriminate|]; cbn [map fst] in E; injection E as -> E.
        change (right_inverse (((n, d), p) :: T)) with ((n, p) :: right_inverse T) in *.
        destruct (positive_cons _ _ _ P) as [N P']; inversion C as [|? ? Cc C']; subst; cbn [fst snd in_a_row] in *.
        destruct R as [-> R]; destruct (IH (n * W) Q R P' eq_refl C') as (i & X & V & I).
        exists (c + n * i); cbn [size index_at value_at]; split; [nia|split; [rewrite V; ring|]].
        rewrite value_inside by nia; rewrite number_mod, number_div by auto; lia. }
    destruct (G T 1 Q' Row Pos E' C') as (i & Y & V2 & I2); exists i; rewrite <- Size; repeat split; lia. }
  split; [exact Size|split; [|split; [exact Right|]]].
  - intros a X; destruct (Onto a X) as (i & Y & -> & _); auto.
  - intros a X; destruct (Onto a X) as (i & Y & -> & E); auto.
Qed.
