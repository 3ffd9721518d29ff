(** When a division A/B exists: where each mode of the tile B begins and ends at digits of A.

    Source: "CuTe Layout Algebra" (L. Mao), Definitions 2.21 and 2.22, Lemma 2.23. The lemma says that (B,
    complement) is then admissible, which by itself would not be enough for a composition: Theorem 2.18 fails for
    three modes. Here is the composition. *)
From Coq Require Import ZArith Lia List.
From Symview Require Import Layouts Compositions Complements.
Import ListNotations.
Local Open Scope Z_scope.

(** A is left divisible by r, Definition 2.11. *)
Definition divides (A : layout) (r : Z) : Prop := divide A r <> None.

Lemma divides_some A r : divides A r -> exists A', divide A r = Some A'.
Proof. unfold divides; destruct (divide A r) as [A'|]; [eauto|congruence]. Qed.

Lemma divide_next m d k A r : divide ((m, d) :: k :: A) r =
  if r <? m then if m mod r =? 0 then Some ((m / r, r * d) :: k :: A) else None
  else if r mod m =? 0 then divide (k :: A) (r / m) else None.
Proof. reflexivity. Qed.

(** What is left behind a stride r is divisible by n where all is by n·r. *)
Lemma divides_rest A : forall r n A', positive A -> 1 <= r -> 1 <= n -> divide A r = Some A' -> divides A (n * r) ->
  divides A' n.
Proof.
  unfold divides; induction A as [|[m d] A IH]; intros r n A' P R N E H; [discriminate|].
  destruct (positive_cons _ _ _ P) as [M P']; destruct A as [|k A]; [injection E as <-; discriminate|].
  rewrite divide_next in E, H; destruct (Z.ltb_spec r m) as [L|L].
  - destruct (Z.eqb_spec (m mod r) 0) as [Z0|]; [|discriminate]; injection E as <-; rewrite divide_next.
    pose proof (Z.div_mod m r ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := m / r) in *.
    destruct (Z.ltb_spec (n * r) m) as [L2|L2].
    + destruct (Z.eqb_spec (m mod (n * r)) 0) as [Z1|]; [|congruence].
      destruct (Z.ltb_spec n q); [|nia]; destruct (Z.eqb_spec (q mod n) 0) as [|Z2]; [discriminate|].
      exfalso; apply Z2; pose proof (Z.div_mod m (n * r) ltac:(nia)) as D1; rewrite Z1, Z.add_0_r in D1.
      replace q with (m / (n * r) * n) by nia; apply Z.mod_mul; lia.
    + destruct (Z.eqb_spec ((n * r) mod m) 0) as [Z1|]; [|congruence].
      pose proof (Z.div_mod (n * r) m ltac:(lia)) as D1; rewrite Z1, Z.add_0_r in D1; set (c := n * r / m) in *.
      assert (Nc : n = c * q) by nia; destruct (Z.ltb_spec n q); [nia|].
      rewrite Nc, Z.mod_mul, Z.div_mul by nia; exact H.
  - destruct (Z.eqb_spec (r mod m) 0) as [Z0|]; [|discriminate].
    pose proof (Z.div_mod r m ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := r / m) in *.
    destruct (Z.ltb_spec (n * r) m); [nia|].
    replace (n * r) with ((n * q) * m) in H by (rewrite D; ring); rewrite Z.mod_mul, Z.div_mul in H by lia.
    apply (IH q n A' P' ltac:(nia) N E H).
Qed.

Lemma divides_take A : forall n, positive A -> 1 <= n -> divides A n -> exists R, take A n = Some R /\ positive R.
Proof.
  unfold divides; induction A as [|[m d] A IH]; intros n P N H; [cbn in H; congruence|].
  destruct (positive_cons _ _ _ P) as [M P']; destruct A as [|k A].
  - exists [(n, d)]; split; [reflexivity|repeat constructor; auto].
  - rewrite divide_next in H; change (take ((m, d) :: k :: A) n) with
      (if n <=? m then Some [(n, d)]
       else if n mod m =? 0 then option_map (cons (m, d)) (take (k :: A) (n / m)) else None).
    destruct (Z.leb_spec n m) as [L|L]; [exists [(n, d)]; split; [reflexivity|repeat constructor; auto]|].
    destruct (Z.ltb_spec n m); [lia|]; destruct (Z.eqb_spec (n mod m) 0) as [Z0|]; [|congruence].
    pose proof (Z.div_mod n m ltac:(lia)) as D; destruct (IH (n / m) P' ltac:(nia) H) as (R & -> & PR).
    exists ((m, d) :: R); split; [reflexivity|constructor; auto].
Qed.

(** One mode n:r composes where A is divisible by r and by n·r: Definition 2.21, CUTLASS's admission. *)
Lemma one_mode_composes A n r : positive A -> 1 <= r -> 1 <= n -> divides A r -> divides A (n * r) ->
  exists R, positive R /\ composes A [(n, r)] R.
Proof.
  intros P R N H1 H2; destruct (divides_some A r H1) as (A' & E); pose proof (divides_rest A r n A' P R N E H2) as H.
  destruct (divide_value A r A' P R E) as [P' _]; destruct (divides_take A' n P' N H) as (K & T & PK).
  exists K; split; [auto|]; apply proposition_2_14; auto; unfold compose_mode; rewrite E; auto.
Qed.

Lemma divides_1 A : positive A -> A <> [] -> divides A 1.
Proof.
  unfold divides; induction A as [|[m d] A IH]; intros P N; [congruence|].
  destruct (positive_cons _ _ _ P) as [M P']; destruct A as [|k A]; [discriminate|]; rewrite divide_next.
  destruct (Z.ltb_spec 1 m); [rewrite Z.mod_1_r; discriminate|].
  assert (m = 1) as -> by lia; rewrite Z.mod_1_r, Z.div_1_r; apply IH; [auto|discriminate].
Qed.

Lemma divides_size A : positive A -> A <> [] -> divides A (size A).
Proof.
  unfold divides; induction A as [|[m d] A IH]; intros P N; [congruence|].
  destruct (positive_cons _ _ _ P) as [M P']; destruct A as [|k A]; [discriminate|]; rewrite divide_next.
  change (size ((m, d) :: k :: A)) with (m * size (k :: A)); pose proof (size_positive _ P') as S.
  destruct (Z.ltb_spec (m * size (k :: A)) m); [nia|].
  rewrite (Z.mul_comm m), Z.mod_mul, Z.div_mul by lia; apply IH; [auto|discriminate].
Qed.

Lemma adds A r u y : positive A -> 1 <= r -> divides A r -> 0 <= u < r ->
  value A (u + y * r) = value A u + value A (y * r).
Proof. intros P R H U; destruct (divides_some A r H) as (A' & E); apply (divide_adds A r A'); auto. Qed.

(** Values of the layout and of the complement are multiples of W, each by itself. *)
Lemma multiples B : forall W M, 1 <= W -> 1 <= M -> admissible_from W B M ->
  (forall a, 0 <= a < size B -> exists y, value B a = y * W) /\
  (forall b, 0 <= b < size (complement_from W B M) -> exists y, value (complement_from W B M) b = y * W).
Proof.
  intros W M Pw Pm H; pose proof (size_positive B (admissible_positive B W M H)).
  pose proof (size_positive _ (complement_positive B W M Pw Pm H)); split.
  - intros a X; destruct (sums_inside B W M Pw Pm H a 0) as (y & _ & _ & E); [auto|lia|].
    rewrite value_0 in E; exists y; lia.
  - intros b X; destruct (sums_inside B W M Pw Pm H 0 b) as (y & _ & _ & E); [lia|auto|].
    rewrite value_0 in E; exists y; lia.
Qed.

Lemma division_by_parts A M B : positive A -> 1 <= M -> divides A M -> forall W, 1 <= W -> divides A W ->
  admissible_from W B M -> Forall (fun m => divides A (snd m) /\ divides A (fst m * snd m)) B ->
  let C := complement_from W B M in
  (B = [] \/ exists R, positive R /\ composes A B R) /\ (exists S, positive S /\ composes A C S) /\
  forall a b, 0 <= a < size B -> 0 <= b < size C ->
    value A (value B a + value C b) = value A (value B a) + value A (value C b).
Proof.
  intros P Pm DM; induction B as [|[n d] B IH]; intros W Pw DW H F C.
  - unfold C; cbn [complement_from admissible_from] in *; destruct (whole W M Pw Pm H) as [E G].
    split; [left; reflexivity|split].
    + apply one_mode_composes; auto; rewrite <- E; auto.
    + intros a b _ _; cbn [value]; rewrite value_0; reflexivity.
  - inversion F as [|? ? [D1 D2] F']; subst; cbn [fst snd] in D1, D2; pose proof H as (N & D & G & H').
    destruct (whole W d Pw D G) as [E Pg]; assert (Pn : 1 <= n * d) by nia.
    destruct (IH (n * d) Pn D2 H' F') as (HB & (S & PS & HS) & Add); set (g := d / W) in *.
    set (C' := complement_from (n * d) B M) in *.
    assert (EC : C = (g, W) :: C') by reflexivity; clearbody C; subst C.
    pose proof (admissible_positive _ _ _ H') as PB; pose proof (complement_positive B (n * d) M Pn Pm H') as PC.
    fold C' in PC; destruct (multiples B (n * d) M Pn Pm H') as [MB MC]; fold C' in MC.
    assert (Below : forall u y, 0 <= u < n * d -> value A (u + y * (n * d)) = value A u + value A (y * (n * d))).
    { intros; apply adds; auto. }
    split; [right|split].
    + destruct (one_mode_composes A n d P D N D1 D2) as (R1 & PR1 & HR1).
      destruct HB as [->|(R & PR & HR)]; [exists R1; auto|]; exists (R1 ++ R); split; [apply positive_app; auto|].
      change ((n, d) :: B) with ([(n, d)] ++ B); apply composition_of_parts; auto; [repeat constructor; auto|].
      cbn [size value]; intros x y X Y; destruct (MB y Y) as (z & ->); apply Below; nia.
    + destruct (one_mode_composes A g W P Pw Pg DW) as (R1 & PR1 & HR1); [rewrite <- E; auto|].
      exists (R1 ++ S); split; [apply positive_app; auto|].
      change ((g, W) :: C') with ([(g, W)] ++ C'); apply composition_of_parts; auto; [repeat constructor; auto|].
      cbn [size value]; intros x y X Y; destruct (MC y Y) as (z & ->); apply Below; nia.
    + intros a b X Y; cbn [size] in X, Y.
      assert (NE : C' <> []) by apply complement_not_empty.
      rewrite (value_inside n d B a), (value_next g W C' b) by auto.
      pose proof (Z.mod_pos_bound a n ltac:(lia)) as Ma; pose proof (Z.mod_pos_bound b g ltac:(lia)) as Mb.
      pose proof (quotient_below a n _ N X) as Qa; pose proof (quotient_below b g _ Pg Y) as Qb.
      specialize (Add (a / n) (b / g) Qa Qb); destruct (MB (a / n) Qa) as (v & V), (MC (b / g) Qb) as (w & V').
      rewrite V, V' in *; set (a0 := a mod n) in *; set (b0 := b mod g) in *.
      assert (B1 : 0 <= b0 * W < d) by nia; assert (B2 : 0 <= b0 * W + a0 * d < n * d) by nia.
      replace (a0 * d + v * (n * d) + (b0 * W + w * (n * d))) with ((b0 * W + a0 * d) + (v + w) * (n * d)) by ring.
      rewrite !Below by nia; replace ((v + w) * (n * d)) with (v * (n * d) + w * (n * d)) by ring.
      rewrite Add, (adds A d (b0 * W) a0) by auto; ring.
Qed.

(** Lemma 2.23, for its purpose: where each mode n:d of a sorted tile B has A divisible from the left by d and by
    n·d, and {B, size(A)} is admissible, the division A/B = A ∘ (B, complement(B, size(A))) exists. *)
Theorem division_exists A B : positive A -> A <> [] -> admissible B (size A) ->
  Forall (fun m => divides A (snd m) /\ divides A (fst m * snd m)) B ->
  exists R, positive R /\ composes A (B ++ complement B (size A)) R.
Proof.
  intros P NE [Pm H] F.
  destruct (division_by_parts A (size A) B P Pm (divides_size A P NE) 1 ltac:(lia) (divides_1 A P NE) H F)
    as (HB & (S & PS & HS) & Add); fold (complement B (size A)) in *.
  destruct HB as [->|(R & PR & HR)]; [exists S; auto|]; exists (R ++ S); split; [apply positive_app; auto|].
  apply composition_of_parts; auto; [apply (admissible_positive B 1 _ H)|].
  apply (complement_positive B 1 (size A)); auto; lia.
Qed.

(** With the weaker admission of Definition 2.12 it need not: S = (3,2) and B = 2:1. The complement of B up to 6 is
    3:2, and no layout is A ∘ 3:2. *)
Theorem weak_admission_is_not_enough :
  compose_mode [(3, 1); (2, 97)] 2 1 = Some [(2, 1)] /\ admissible [(2, 1)] 6 /\ ~ divides [(3, 1); (2, 97)] 2 /\
  coalesce (complement [(2, 1)] 6) = [(3, 2)] /\ composition [(3, 1); (2, 97)] [(3, 2)] = None.
Proof.
  split; [reflexivity|split; [|split; [intros H; apply H; reflexivity|split; reflexivity]]].
  repeat split; try lia; cbn; [exists 1; lia|exists 3; lia].
Qed.
