(** CuTe's complements, and what rests on them: division and product.

    Source: "CuTe Layout Algebra" (L. Mao), Definitions 2.5 and 2.6, Proposition 2.7, Corollary 2.8, Remark 2.9,
    Definitions 2.22 and 4.1. *)
From Coq Require Import ZArith Lia List Permutation.
From Symview Require Import Layouts Compositions.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** Definition 2.5, for a sorted layout: each stride is a multiple of where the mode before ends, W at first, and M of
    where the last one ends. *)
Fixpoint admissible_from (W : Z) (A : layout) (M : Z) : Prop :=
  match A with
  | [] => (W | M)
  | (n, d) :: A' => 1 <= n /\ 1 <= d /\ (W | d) /\ admissible_from (n * d) A' M
  end.
Definition admissible (A : layout) (M : Z) : Prop := 1 <= M /\ admissible_from 1 A M.

(** Definition 2.6, for a sorted layout: (d_0, d_1/(N_0·d_0), …, M/(N_α·d_α)) : (1, N_0·d_0, …, N_α·d_α). *)
Fixpoint complement_from (W : Z) (A : layout) (M : Z) : layout :=
  match A with
  | [] => [(M / W, W)]
  | (n, d) :: A' => (d / W, W) :: complement_from (n * d) A' M
  end.
Definition complement (A : layout) (M : Z) : layout := complement_from 1 A M.

Definition cosize (A : layout) : Z := value A (size A - 1) + 1.

(** * A number below M is a value of the layout and a value of the complement, in one way *)

Lemma complement_not_empty W A M : complement_from W A M <> [].
Proof. destruct A as [|[n d] A]; discriminate. Qed.

Lemma whole W d : 1 <= W -> 1 <= d -> (W | d) -> d = (d / W) * W /\ 1 <= d / W.
Proof. intros Pw Pd (g & ->); rewrite Z.div_mul by lia; split; [reflexivity|nia]. Qed.

Lemma complement_positive A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M -> positive (complement_from W A M).
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H; cbn [admissible_from complement_from] in *.
  - constructor; [apply whole; auto|constructor].
  - destruct H as (N & D & G & H); constructor; [apply whole; auto|apply IH; auto; nia].
Qed.

Lemma admissible_positive A : forall W M, admissible_from W A M -> positive A.
Proof.
  induction A as [|[n d] A IH]; intros W M H; constructor; cbn [admissible_from fst] in *; [tauto|].
  apply (IH (n * d) M); tauto.
Qed.

Lemma complement_size_from A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  W * (size A * size (complement_from W A M)) = M.
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H; cbn [admissible_from complement_from size] in *.
  - pose proof (whole W M Pw Pm H); lia.
  - destruct H as (N & D & G & H); destruct (whole W d Pw D G) as [E _]; specialize (IH (n * d) M ltac:(nia) Pm H).
    set (c := size (complement_from (n * d) A M)) in *; set (g := d / W) in *.
    rewrite <- IH, E; ring.
Qed.

Lemma sums_inside A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  forall a b, 0 <= a < size A -> 0 <= b < size (complement_from W A M) ->
  exists y, 0 <= y /\ W * y < M /\ value A a + value (complement_from W A M) b = W * y.
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H a b X Y; cbn [admissible_from complement_from] in *.
  - cbn [size] in X, Y; pose proof (whole W M Pw Pm H); exists b; cbn [value]; nia.
  - destruct H as (N & D & G & H); destruct (whole W d Pw D G) as [E Pg]; set (g := d / W) in *.
    cbn [size] in X, Y; rewrite value_inside, value_next by (auto; apply complement_not_empty).
    destruct (IH (n * d) M ltac:(nia) Pm H (a / n) (b / g)) as (y & Y0 & YM & S); try (apply quotient_below; auto).
    pose proof (Z.mod_pos_bound a n); pose proof (Z.mod_pos_bound b g).
    exists (b mod g + g * (a mod n + n * y)); split; [nia|].
    assert (V : W * (b mod g + g * (a mod n + n * y)) = a mod n * d + b mod g * W + n * d * y) by (rewrite E; ring).
    split; [|lia].
    assert (n * d | M) as (k & K).
    { clear - H; revert H; generalize (n * d) as U; induction A as [|[p q] A IH]; intros U H;
        cbn [admissible_from] in H; auto.
      destruct H as (_ & _ & (g & Q) & H); apply IH in H; destruct H as (k & ->); exists (k * p * g); rewrite Q; ring. }
    assert (Yk : y < k) by (apply (Z.mul_lt_mono_pos_r (n * d)); nia).
    assert (a mod n * d <= (n - 1) * d) by nia; assert (b mod g * W <= (g - 1) * W) by nia.
    assert ((y + 1) * (n * d) <= k * (n * d)) by nia; rewrite V, K; lia.
Qed.

Lemma sums_onto A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  forall y, 0 <= y -> W * y < M -> exists a b,
    0 <= a < size A /\ 0 <= b < size (complement_from W A M) /\ value A a + value (complement_from W A M) b = W * y.
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H y Y0 YM; cbn [admissible_from complement_from] in *.
  - pose proof (whole W M Pw Pm H); exists 0, y; cbn [size value]; repeat split; nia.
  - destruct H as (N & D & G & H); destruct (whole W d Pw D G) as [E Pg]; set (g := d / W) in *.
    pose proof (Z.div_mod y g ltac:(lia)) as D1; pose proof (Z.mod_pos_bound y g ltac:(lia)).
    pose proof (Z.div_mod (y / g) n ltac:(lia)) as D2; pose proof (Z.mod_pos_bound (y / g) n ltac:(lia)).
    assert (Q1 : 0 <= y / g) by (apply Z.div_pos; lia); assert (Q2 : 0 <= y / g / n) by (apply Z.div_pos; lia).
    destruct (IH (n * d) M ltac:(nia) Pm H (y / g / n) Q2) as (a & b & A0 & B0 & S).
    { rewrite E; nia. }
    exists ((y / g) mod n + n * a), (y mod g + g * b); cbn [size].
    split; [nia|split; [nia|]].
    rewrite value_inside, value_next by (apply complement_not_empty || nia).
    rewrite !number_mod, !number_div by lia.
    replace (W * y) with ((y / g) mod n * d + y mod g * W + n * d * (y / g / n)); [lia|].
    rewrite E; rewrite D1 at 4; rewrite D2 at 3; ring.
Qed.

Lemma sums_unique A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  forall a b a' b', 0 <= a < size A -> 0 <= b < size (complement_from W A M) ->
  0 <= a' < size A -> 0 <= b' < size (complement_from W A M) ->
  value A a + value (complement_from W A M) b = value A a' + value (complement_from W A M) b' -> a = a' /\ b = b'.
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H a b a' b' X Y X' Y' S.
  - cbn [complement_from size value] in *; split; [lia|nia].
  - pose proof H as (N & D & G & H'); destruct (whole W d Pw D G) as [E Pg].
    cbn [complement_from size] in *; set (g := d / W) in *.
    rewrite (value_inside n d A a), (value_inside n d A a'), !value_next in S by (auto; apply complement_not_empty).
    assert (Pn : 1 <= n * d) by nia.
    destruct (sums_inside A (n * d) M Pn Pm H' (a / n) (b / g)) as (y & Y0 & _ & Sy); try (apply quotient_below; auto).
    destruct (sums_inside A (n * d) M Pn Pm H' (a' / n) (b' / g)) as (y' & Y0' & _ & Sy');
      try (apply quotient_below; auto).
    assert (F : b mod g + g * (a mod n + n * y) = b' mod g + g * (a' mod n + n * y')).
    { apply (Z.mul_cancel_l _ _ W); [lia|].
      assert (V : forall u v z, W * (v + g * (u + n * z)) = u * d + v * W + n * d * z) by (intros; rewrite E; ring).
      rewrite !V; lia. }
    pose proof (Z.mod_pos_bound b g ltac:(lia)) as Mb; pose proof (Z.mod_pos_bound b' g ltac:(lia)) as Mb'.
    pose proof (Z.mod_pos_bound a n ltac:(lia)) as Ma; pose proof (Z.mod_pos_bound a' n ltac:(lia)) as Ma'.
    assert (Fb : b mod g = b' mod g).
    { rewrite <- (number_mod g (a mod n + n * y) (b mod g)), F by auto; apply number_mod; auto. }
    assert (Fx : a mod n + n * y = a' mod n + n * y') by nia.
    assert (Fa : a mod n = a' mod n).
    { rewrite <- (number_mod n y (a mod n)), Fx by auto; apply number_mod; auto. }
    destruct (IH (n * d) M Pn Pm H' (a / n) (b / g) (a' / n) (b' / g)) as [Ea Eb]; try (apply quotient_below; auto);
      [nia|].
    split; [rewrite (Z.div_mod a n), (Z.div_mod a' n), Ea, Fa by lia; auto|].
    rewrite (Z.div_mod b g), (Z.div_mod b' g), Eb, Fb by lia; auto.
Qed.

(** * Modes in another order *)

(** A layout with its modes in another order has the same values, each at one other place. *)
Lemma permuted A A' : Permutation A A' -> positive A -> size A = size A' /\
  exists g g', forall a, 0 <= a < size A ->
    (0 <= g a < size A /\ g' (g a) = a /\ value A' (g a) = value A a) /\
    (0 <= g' a < size A /\ g (g' a) = a /\ value A (g' a) = value A' a).
Proof.
  induction 1 as [|[n d] A A' H IH|[m e] [n d] A|A A' A'' H1 IH1 H2 IH2]; intros P.
  - split; [reflexivity|]; exists (fun a => a), (fun a => a); auto.
  - destruct (positive_cons _ _ _ P) as [N P']; destruct (IH P') as (S & g & g' & G); split; [cbn [size]; congruence|].
    exists (fun a => a mod n + n * g (a / n)), (fun a => a mod n + n * g' (a / n)); intros a X; cbn [size] in *.
    pose proof (Z.div_mod a n ltac:(lia)) as Da; pose proof (Z.mod_pos_bound a n ltac:(lia)) as Ma.
    pose proof (quotient_below a n (size A) N X) as Q; destruct (G (a / n) Q) as ((Q1 & I1 & V1) & (Q2 & I2 & V2)).
    rewrite !number_mod, !number_div by auto; rewrite I1, I2.
    split; (split; [nia|split; [lia|]]); rewrite !value_inside by (auto; rewrite <- ?S; nia);
      rewrite number_mod, number_div by auto; congruence.
  - destruct (positive_cons _ _ _ P) as [N P']; destruct (positive_cons _ _ _ P') as [M P'']; cbn [size].
    split; [ring|].
    exists (fun a => (a / n) mod m + m * (a mod n + n * (a / n / m))),
      (fun a => (a / m) mod n + n * (a mod m + m * (a / m / n))).
    assert (Swap : forall n m d e, 1 <= n -> 1 <= m -> forall a, 0 <= a < n * (m * size A) ->
      let b := (a / n) mod m + m * (a mod n + n * (a / n / m)) in
      0 <= b < n * (m * size A) /\ (b / m) mod n + n * (b mod m + m * (b / m / n)) = a /\
      value ((m, e) :: (n, d) :: A) b = value ((n, d) :: (m, e) :: A) a).
    { clear; intros n m d e N M a X b.
      pose proof (Z.div_mod a n ltac:(lia)) as D1; pose proof (Z.mod_pos_bound a n ltac:(lia)) as M1.
      pose proof (Z.div_mod (a / n) m ltac:(lia)) as D2; pose proof (Z.mod_pos_bound (a / n) m ltac:(lia)) as M2.
      pose proof (quotient_below a n _ N X) as Q1; pose proof (quotient_below (a / n) m _ M Q1) as Q2.
      assert (B : 0 <= b < n * (m * size A)) by (unfold b; nia); split; [auto|].
      unfold b; rewrite !(number_mod m), !(number_div m), !(number_mod n), !(number_div n) by auto; split; [lia|].
      rewrite (value_inside m e) by (auto; cbn [size]; unfold b in B; nia).
      rewrite !(number_mod m), !(number_div m) by auto; rewrite (value_inside n d A) by (auto; nia).
      rewrite !(number_mod n), !(number_div n) by auto.
      rewrite (value_next n d ((m, e) :: A)) by discriminate; rewrite (value_inside m e A) by auto; ring. }
    intros a X; destruct (Swap m n e d M N a ltac:(lia)) as (B1 & I1 & V1);
      destruct (Swap n m d e N M a X) as (B2 & I2 & V2); cbv zeta in *.
    split; (split; [lia|split; [auto|auto]]).
  - assert (P' : positive A') by (unfold positive in *; apply (Permutation_Forall H1); auto).
    destruct (IH1 P) as (S1 & g1 & g1' & G1); destruct (IH2 P') as (S2 & g2 & g2' & G2); split; [congruence|].
    exists (fun a => g2 (g1 a)), (fun a => g1' (g2' a)); intros a X.
    destruct (G1 a X) as ((B1 & I1 & V1) & _); destruct (G2 (g1 a) ltac:(lia)) as ((B2 & I2 & V2) & _).
    destruct (G2 a ltac:(lia)) as (_ & (C2 & J2 & W2)); destruct (G1 (g2' a) ltac:(lia)) as (_ & (C1 & J1 & W1)).
    repeat split; try lia; congruence.
Qed.

(** * The statements *)

(** Definition 2.6: the size of the complement is M / size(A). *)
Theorem complement_size A M : admissible A M -> size A * size (complement A M) = M.
Proof. intros [Pm H]; pose proof (complement_size_from A 1 M ltac:(lia) Pm H); unfold complement; lia. Qed.

(** Every number below M is f_A(a) + f_B(b), B the complement, for one a and one b. A may have its modes in any
    order. *)
Theorem complement_sums A A' M : Permutation A A' -> admissible A' M -> let B := complement A' M in
  (forall a b, 0 <= a < size A -> 0 <= b < size B -> 0 <= value A a + value B b < M) /\
  (forall y, 0 <= y < M -> exists a b, 0 <= a < size A /\ 0 <= b < size B /\ value A a + value B b = y) /\
  (forall a b a' b', 0 <= a < size A -> 0 <= b < size B -> 0 <= a' < size A -> 0 <= b' < size B ->
     value A a + value B b = value A a' + value B b' -> a = a' /\ b = b').
Proof.
  intros Perm [Pm H] B; pose proof (admissible_positive A' 1 M H) as P'.
  assert (P : positive A) by (unfold positive; apply (Permutation_Forall (Permutation_sym Perm)); auto).
  destruct (permuted A A' Perm P) as (S & g & g' & G); split; [|split].
  - intros a b X Y; destruct (G a X) as ((X' & _ & V) & _).
    destruct (sums_inside A' 1 M ltac:(lia) Pm H (g a) b ltac:(lia) Y) as (y & Y0 & YM & E).
    unfold B, complement; lia.
  - intros y Y; destruct (sums_onto A' 1 M ltac:(lia) Pm H y ltac:(lia) ltac:(lia)) as (a & b & X & Z0 & E).
    destruct (G a ltac:(lia)) as (_ & (X' & _ & V)); exists (g' a), b; unfold B, complement; repeat split; lia.
  - intros a b a' b' X Y X' Y' E; destruct (G a X) as ((B1 & I1 & V1) & _); destruct (G a' X') as ((B2 & I2 & V2) & _).
    destruct (sums_unique A' 1 M ltac:(lia) Pm H (g a) b (g a') b') as [F ->]; auto; try lia.
    + unfold B, complement in E; lia.
    + split; congruence.
Qed.

(** Proposition 2.7: (A, complement(A, M)) has the size M and takes [0, M) to itself, one to one. *)
Theorem proposition_2_7 A A' M : Permutation A A' -> admissible A' M -> let C := A ++ complement A' M in
  size C = M /\
  (forall x, 0 <= x < M -> 0 <= value C x < M) /\
  (forall y, 0 <= y < M -> exists x, 0 <= x < M /\ value C x = y) /\
  (forall x x', 0 <= x < M -> 0 <= x' < M -> value C x = value C x' -> x = x').
Proof.
  intros Perm Ad C; destruct (complement_sums A A' M Perm Ad) as (In & Onto & Unique); destruct Ad as [Pm H].
  pose proof (admissible_positive A' 1 M H) as P'; pose proof (complement_positive A' 1 M ltac:(lia) Pm H) as Pc.
  assert (P : positive A) by (unfold positive; apply (Permutation_Forall (Permutation_sym Perm)); auto).
  destruct (permuted A A' Perm P) as (S & _).
  set (B := complement A' M) in *; pose proof (size_positive A P) as SA.
  assert (N : size A * size B = M) by (rewrite S; apply complement_size; split; auto).
  assert (Split : forall x, 0 <= x < M -> 0 <= x mod size A < size A /\ 0 <= x / size A < size B /\
    value C x = value A (x mod size A) + value B (x / size A)).
  { intros x X; split; [apply Z.mod_pos_bound; lia|split; [apply quotient_below; auto; lia|]].
    apply lemma_2_19; auto; left; apply complement_not_empty. }
  split; [unfold C; rewrite size_app; auto|split; [|split]].
  - intros x X; destruct (Split x X) as (X1 & X2 & ->); auto.
  - intros y Y; destruct (Onto y Y) as (a & b & X1 & X2 & E); exists (a + size A * b); split; [nia|].
    unfold C; rewrite value_app; auto.
  - intros x x' X X' E; destruct (Split x X) as (X1 & X2 & V); destruct (Split x' X') as (X1' & X2' & V').
    rewrite V, V' in E; destruct (Unique _ _ _ _ X1 X2 X1' X2' E) as [E1 E2].
    rewrite (Z.div_mod x (size A)), (Z.div_mod x' (size A)), E1, E2 by lia; reflexivity.
Qed.

Lemma complement_steps A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  forall x, value (complement_from W A M) x + W <= value (complement_from W A M) (x + 1).
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H x; cbn [admissible_from complement_from] in *.
  - cbn [value]; lia.
  - destruct H as (N & D & G & H); destruct (whole W d Pw D G) as [E Pg]; set (g := d / W) in *.
    rewrite !value_next by apply complement_not_empty.
    pose proof (Z.div_mod x g ltac:(lia)) as Dx; pose proof (Z.mod_pos_bound x g ltac:(lia)) as Mx.
    destruct (Z.eq_dec (x mod g) (g - 1)) as [L|L].
    + replace (x + 1) with (0 + g * (x / g + 1)) by lia; rewrite number_mod, number_div by lia.
      specialize (IH (n * d) M ltac:(nia) Pm H (x / g)); rewrite L; nia.
    + replace (x + 1) with ((x mod g + 1) + g * (x / g)) by lia; rewrite number_mod, number_div by lia; lia.
Qed.

(** Definition 2.6, Remark 2.9: the complement is strictly increasing, its extension included. *)
Theorem complement_increasing A M : admissible A M ->
  forall x y, x < y -> value (complement A M) x < value (complement A M) y.
Proof.
  intros [Pm H] x y L; replace y with (x + Z.of_nat (Z.to_nat (y - x))) by lia.
  assert (K : (0 < Z.to_nat (y - x))%nat) by lia; revert K; generalize (Z.to_nat (y - x)) as k; clear L y.
  induction k as [|k IH]; intros K; [lia|]; pose proof (complement_steps A 1 M ltac:(lia) Pm H (x + Z.of_nat k)) as S.
  unfold complement in *; replace (x + Z.of_nat k + 1) with (x + Z.of_nat (Datatypes.S k)) in S by lia.
  destruct k as [|k]; [rewrite Z.add_0_r in S; lia|specialize (IH ltac:(lia)); lia].
Qed.

Lemma complement_end A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  value (complement_from W A M) (size (complement_from W A M)) = M.
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H; cbn [admissible_from complement_from size] in *.
  - pose proof (whole W M Pw Pm H); cbn [value]; lia.
  - destruct H as (N & D & G & H); destruct (whole W d Pw D G) as [E Pg]; set (g := d / W) in *.
    rewrite value_next by apply complement_not_empty.
    rewrite (Z.mul_comm g), Z.mod_mul, Z.div_mul, IH by (auto; nia); ring.
Qed.

(** Corollary 2.8: f_A and all of f̂_B share only 0, which both take at 0 alone. *)
Theorem corollary_2_8 A A' M : Permutation A A' -> admissible A' M ->
  forall a b, 0 <= a < size A -> 0 <= b -> value A a = value (complement A' M) b -> a = 0 /\ b = 0.
Proof.
  intros Perm Ad a b X Y E; destruct (complement_sums A A' M Perm Ad) as (In & _ & Unique).
  pose proof Ad as [Pm H]; pose proof (complement_positive A' 1 M ltac:(lia) Pm H) as Pc.
  pose proof (size_positive _ Pc) as SB; fold (complement A' M) in SB.
  destruct (Z.lt_ge_cases b (size (complement A' M))) as [L|L].
  - destruct (Unique a 0 0 b); rewrite ?value_0; auto; lia.
  - specialize (In a 0 X ltac:(lia)); rewrite value_0 in In.
    pose proof (complement_end A' 1 M ltac:(lia) Pm H) as End; fold (complement A' M) in End.
    destruct (Z.eq_dec b (size (complement A' M))) as [->|N]; [lia|].
    pose proof (complement_increasing A' M Ad (size (complement A' M)) b ltac:(lia)); lia.
Qed.

Lemma last_values A : forall W M, 1 <= W -> 1 <= M -> admissible_from W A M ->
  value A (size A - 1) + value (complement_from W A M) (size (complement_from W A M) - 1) = M - W.
Proof.
  induction A as [|[n d] A IH]; intros W M Pw Pm H.
  - cbn [complement_from size value admissible_from] in *; pose proof (whole W M Pw Pm H); lia.
  - pose proof (admissible_positive _ _ _ H) as P; cbn [admissible_from complement_from size] in *.
    destruct (positive_cons _ _ _ P) as [_ P']; pose proof (size_positive A P') as SA.
    destruct H as (N & D & G & H); destruct (whole W d Pw D G) as [E Pg]; set (g := d / W) in *.
    assert (Pn : 1 <= n * d) by nia; pose proof (size_positive _ (complement_positive A (n * d) M Pn Pm H)) as SB.
    rewrite value_inside, value_next by (apply complement_not_empty || nia).
    set (k := size (complement_from (n * d) A M)) in *.
    replace (n * size A - 1) with ((n - 1) + n * (size A - 1)) by ring.
    replace (g * k - 1) with ((g - 1) + g * (k - 1)) by ring.
    rewrite !number_mod, !number_div by lia; specialize (IH (n * d) M Pn Pm H); fold k in IH; nia.
Qed.

(** Remark 2.9: the complement is bounded, cosize(B) = M − cosize(A) + 1 <= floor(M / cosize(A))·cosize(A). *)
Theorem remark_2_9 A M : admissible A M ->
  cosize (complement A M) = M - cosize A + 1 /\ cosize (complement A M) <= M / cosize A * cosize A.
Proof.
  intros [Pm H]; pose proof (last_values A 1 M ltac:(lia) Pm H) as L.
  assert (C : cosize (complement A M) = M - cosize A + 1) by (unfold cosize, complement; lia); split; [auto|rewrite C].
  pose proof (admissible_positive A 1 M H) as P; pose proof (size_positive A P).
  assert (K : 1 <= cosize A).
  { pose proof (complement_sums A A M (Permutation_refl A) (conj Pm H)) as (In & _).
    pose proof (size_positive _ (complement_positive A 1 M ltac:(lia) Pm H)).
    specialize (In (size A - 1) 0 ltac:(lia) ltac:(unfold complement; lia)); rewrite value_0 in In; unfold cosize;
      lia. }
  pose proof (Z.div_mod M (cosize A) ltac:(lia)); pose proof (Z.mod_pos_bound M (cosize A) ltac:(lia)); lia.
Qed.

(** * Division and product *)

(** Definition 2.22 and "Implication of Logical Division": A/B, which is A ∘ (B, complement(B, size(A))), has the values
    of A, each as often, in another order; its first values are those of the tile A ∘ B. *)
Theorem division_rearranges A B B' R : Permutation B B' -> admissible B' (size A) ->
  composes A (B ++ complement B' (size A)) R ->
  size R = size A /\
  (exists p, (forall y, 0 <= y < size A -> 0 <= p y < size A /\ value R y = value A (p y)) /\
     (forall x, 0 <= x < size A -> exists y, 0 <= y < size A /\ p y = x) /\
     (forall y y', 0 <= y < size A -> 0 <= y' < size A -> p y = p y' -> y = y')) /\
  (forall b, 0 <= b < size B -> value R b = value A (value B b)).
Proof.
  intros Perm Ad (S & V); destruct (proposition_2_7 B B' (size A) Perm Ad) as (N & In & Onto & Unique).
  rewrite N in *; split; [auto|split].
  - exists (value (B ++ complement B' (size A))); repeat split; auto; apply In; auto.
  - intros b Y; pose proof Ad as [Pm H].
    pose proof (complement_positive B' 1 _ ltac:(lia) Pm H) as Pc; fold (complement B' (size A)) in Pc.
    assert (P : positive B).
    { unfold positive; apply (Permutation_Forall (Permutation_sym Perm)), (admissible_positive B' 1 _ H). }
    pose proof (size_positive _ Pc) as SC; rewrite size_app in N.
    rewrite V by nia; f_equal; replace b with (b + size B * 0) at 1 by lia.
    rewrite value_app, value_0 by (auto; lia); lia.
Qed.

(** Definition 4.1: A × B, which is (A, complement(A, M) ∘ B), has the values of A once for each value of B, and no two
    of them are equal unless those of B are. *)
Theorem product_copies A A' B M S : Permutation A A' -> admissible A' M -> positive B -> positive S ->
  (forall b, 0 <= b < size B -> 0 <= value B b < size (complement A' M)) ->
  composes (complement A' M) B S ->
  (forall a b, 0 <= a < size A -> 0 <= b < size B ->
     value (A ++ S) (a + size A * b) = value A a + value (complement A' M) (value B b)) /\
  (forall a b a' b', 0 <= a < size A -> 0 <= b < size B -> 0 <= a' < size A -> 0 <= b' < size B ->
     value (A ++ S) (a + size A * b) = value (A ++ S) (a' + size A * b') -> a = a' /\ value B b = value B b').
Proof.
  intros Perm Ad PB PS In (N & V).
  assert (P : positive A).
  { unfold positive; apply (Permutation_Forall (Permutation_sym Perm)), (admissible_positive A' 1 M), Ad. }
  assert (Sum : forall a b, 0 <= a < size A -> 0 <= b < size B ->
    value (A ++ S) (a + size A * b) = value A a + value (complement A' M) (value B b)).
  { intros a b X Y; rewrite value_app, V by (auto; lia); reflexivity. }
  split; auto; intros a b a' b' X Y X' Y' E; rewrite !Sum in E by auto.
  destruct (complement_sums A A' M Perm Ad) as (_ & _ & Unique); apply Unique; auto.
Qed.

(** Division, then product: M:1 divided by a tile B has the values of the product of B with as many copies in a row, and
    both take every number below M once. *)
Theorem divide_then_product B B' M R S : Permutation B B' -> admissible B' M -> positive S ->
  composes [(M, 1)] (B ++ complement B' M) R ->
  composes (complement B' M) [(size (complement B' M), 1)] S ->
  size R = size (B ++ S) /\ forall x, 0 <= x < M -> value R x = value (B ++ S) x.
Proof.
  intros Perm Ad PS (N & V) (N' & W).
  destruct (proposition_2_7 B B' M Perm Ad) as (Size & _); cbn [size] in N', W; rewrite Z.mul_1_r in N', W.
  assert (P : positive B).
  { unfold positive; apply (Permutation_Forall (Permutation_sym Perm)), (admissible_positive B' 1 M), Ad. }
  pose proof (size_positive B P) as SB; pose proof Ad as [Pm H].
  assert (Pc : positive (complement B' M)) by (apply (complement_positive B' 1 M); auto; lia).
  split; [rewrite size_app, N', <- size_app; auto|]; intros x X; rewrite V by lia; cbn [value]; rewrite Z.mul_1_r.
  rewrite size_app in Size; assert (Q : 0 <= x / size B < size (complement B' M)) by (apply quotient_below; auto; lia).
  rewrite !lemma_2_19; auto; [|right; rewrite size_app, N'; lia|right; rewrite size_app; lia].
  f_equal; rewrite W by auto; cbn [value]; f_equal; lia.
Qed.
