(** Layouts of morphisms: the letters of an expression E, taken in any order, each with its place in E.

    Source: "CuTe Layout Algebra" (L. Mao), section 3. Letters are numbered from 0 here, and need not be primes. *)
From Coq Require Import ZArith Lia List Arith Permutation FinFun.
From Symview Require Import Layouts Compact.
Import ListNotations.
Local Open Scope Z_scope.

(** The size of a letter, its place, and the product of all. *)
Definition letter (E : list Z) (a : nat) : Z := nth a E 1.
Definition number (E : list Z) : Z := fold_right Z.mul 1 E.
Definition place (E : list Z) (a : nat) : Z := number (firstn a E).

(** A morphism α: E^α → E is a list of letters of E. *)
Definition over (k : nat) (alpha : list nat) : Prop := Forall (fun a => (a < k)%nat) alpha.
Definition pulled (E : list Z) (alpha : list nat) : list Z := map (letter E) alpha.
Definition after (alpha beta : list nat) : list nat := map (fun b => nth b alpha O) beta.
Definition identity (k : nat) : list nat := seq 0 k.

(** Definition 3.9: the layout of a morphism. *)
Definition layout_of_morphism (E : list Z) (alpha : list nat) : layout := map (fun a => (letter E a, place E a)) alpha.

(** Definition 3.4: a category. *)
Theorem pulled_after E alpha beta : over (length alpha) beta -> pulled (pulled E alpha) beta = pulled E (after alpha beta).
Proof.
  intros H; unfold pulled, after; rewrite map_map; apply map_ext_in; intros b B; unfold letter.
  pose proof (proj1 (Forall_forall _ _) H b B) as L.
  rewrite (nth_indep _ 1 (nth O E 1)) by (rewrite map_length; exact L); apply (map_nth (fun a => nth a E 1)).
Qed.
Theorem after_over k alpha beta : over k alpha -> over (length alpha) beta -> over k (after alpha beta).
Proof.
  intros A B; apply Forall_forall; intros x X; apply in_map_iff in X; destruct X as (b & <- & I).
  pose proof (proj1 (Forall_forall _ _) B b I); apply (proj1 (Forall_forall _ _) A), nth_In; auto.
Qed.
Theorem after_associative alpha beta gamma : over (length beta) gamma ->
  after alpha (after beta gamma) = after (after alpha beta) gamma.
Proof.
  intros H; unfold after; rewrite map_map; apply map_ext_in; intros c C.
  pose proof (proj1 (Forall_forall _ _) H c C) as L.
  rewrite (nth_indep (map _ beta) O (nth O alpha O)) by (rewrite map_length; exact L).
  symmetry; apply (map_nth (fun b => nth b alpha O)).
Qed.
Theorem after_identity alpha : after alpha (identity (length alpha)) = alpha.
Proof.
  apply (nth_ext _ _ O O); unfold after, identity; rewrite map_length, seq_length; [reflexivity|]; intros n N.
  rewrite (nth_indep _ O (nth O alpha O)) by (rewrite map_length, seq_length; exact N).
  rewrite (map_nth (fun b => nth b alpha O)), seq_nth by exact N; reflexivity.
Qed.
Theorem identity_after k beta : over k beta -> after (identity k) beta = beta.
Proof.
  intros H; unfold after; rewrite <- (map_id beta) at 2; apply map_ext_in; intros b B.
  unfold identity; rewrite seq_nth by (apply (proj1 (Forall_forall _ _) H b B)); reflexivity.
Qed.
Theorem pulled_identity E : pulled E (identity (length E)) = E.
Proof.
  apply (nth_ext _ _ 1 1); unfold pulled, identity; rewrite map_length, seq_length; [reflexivity|]; intros n N.
  rewrite (nth_indep _ 1 (letter E O)) by (rewrite map_length, seq_length; exact N).
  rewrite (map_nth (letter E)), seq_nth by exact N; reflexivity.
Qed.

(** Remark 3.7: over k, each α has one triangle to the identity, itself. Not the other way: from the identity to a map
    that is no bijection there may be none, or two. *)
Theorem identity_is_final k alpha gamma : over k alpha -> over k gamma -> after (identity k) gamma = alpha <-> gamma = alpha.
Proof. intros A G; rewrite identity_after by exact G; reflexivity. Qed.
Theorem identity_is_not_initial :
  (forall gamma, over 0 gamma -> after [] gamma <> identity 1) /\
  after [0%nat; 0%nat] [0%nat] = identity 1 /\ after [0%nat; 0%nat] [1%nat] = identity 1.
Proof.
  repeat split; intros gamma G E; destruct gamma as [|g gamma]; [discriminate|]; inversion G; lia.
Qed.
(** F_E takes a triangle α = β ∘ γ to a morphism E^α → E^β over E. *)
Theorem triangle_is_morphism E alpha beta gamma : over (length beta) gamma -> after beta gamma = alpha ->
  pulled (pulled E beta) gamma = pulled E alpha.
Proof. intros G <-; apply pulled_after, G. Qed.
(** Remark 3.8: a morphism F → E is a map of letters that keeps their sizes. *)
Theorem morphism_keeps_sizes E F alpha : pulled E alpha = F <->
  length alpha = length F /\ forall i, (i < length F)%nat -> letter F i = letter E (nth i alpha O).
Proof.
  split.
  - intros <-; unfold pulled; rewrite map_length; split; [reflexivity|]; intros i I; unfold letter at 1.
    rewrite (nth_indep _ 1 (letter E O)) by (rewrite map_length; exact I); apply (map_nth (letter E)).
  - intros [L H]; unfold pulled; apply (nth_ext _ _ 1 1); rewrite map_length; [exact L|]; intros i I.
    rewrite (nth_indep _ 1 (letter E O)) by (rewrite map_length; exact I).
    rewrite (map_nth (letter E)); symmetry; apply H; lia.
Qed.

(** Digits of a number, and numbers that have digits at some letters. *)
Fixpoint digits_of (E : list Z) (x : Z) : list Z := match E with [] => [] | n :: E' => x mod n :: digits_of E' (x / n) end.
Definition total (w : nat -> Z) (P : list (nat * Z)) : Z := fold_right (fun p s => snd p * w (fst p) + s) 0 P.
(** The digits of y, each with a weight. *)
Fixpoint weighed (E : list Z) (w : nat -> Z) (y : Z) : Z :=
  match E with [] => 0 | n :: E' => (y mod n) * w O + weighed E' (fun j => w (S j)) (y / n) end.

(** What is at the first letter, and at the others. *)
Definition low (P : list (nat * Z)) : Z := fold_right (fun p s => match fst p with O => snd p + s | S _ => s end) 0 P.
Definition high (P : list (nat * Z)) : list (nat * Z) :=
  fold_right (fun p s => match fst p with O => s | S b => (b, snd p) :: s end) [] P.

Lemma total_parts w P : total w P = low P * w O + total (fun j => w (S j)) (high P).
Proof.
  induction P as [|[[|b] x] P IH]; [reflexivity| |].
  - change (x * w O + total w P = (x + low P) * w O + total (fun j => w (S j)) (high P)); rewrite IH; ring.
  - change (x * w (S b) + total w P = low P * w O + (x * w (S b) + total (fun j => w (S j)) (high P))); rewrite IH; ring.
Qed.
Lemma high_in P b : In b (map fst (high P)) <-> In (S b) (map fst P).
Proof. induction P as [|[[|a] x] P IH]; cbn; [tauto| |]; rewrite IH; intuition congruence. Qed.
Lemma high_distinct P : NoDup (map fst P) -> NoDup (map fst (high P)).
Proof.
  induction P as [|[[|a] x] P IH]; cbn; intros N; [constructor| |]; inversion N; subst; auto.
  constructor; auto; rewrite high_in; auto.
Qed.
Lemma low_none P : ~ In O (map fst P) -> low P = 0.
Proof. induction P as [|[[|a] x] P IH]; cbn; intros N; [reflexivity|tauto|apply IH; tauto]. Qed.
Definition fit (E : list Z) (P : list (nat * Z)) : Prop :=
  Forall (fun p => (fst p < length E)%nat /\ 0 <= snd p < letter E (fst p)) P.
Lemma low_bound n E P : 1 <= n -> NoDup (map fst P) -> fit (n :: E) P -> 0 <= low P < n.
Proof.
  intros N; induction P as [|[[|a] x] P IH]; cbn; intros D F; [lia| |]; inversion D; inversion F; subst; auto.
  rewrite low_none by auto; cbn in *; lia.
Qed.
Lemma high_fit n E P : fit (n :: E) P -> fit E (high P).
Proof.
  induction P as [|[[|a] x] P IH]; cbn; intros F; [constructor| |]; inversion F; subst; [apply IH; auto|].
  constructor; [cbn in *; split; [lia|tauto]|apply IH; auto].
Qed.
Lemma number_positive E : Forall (Z.le 1) E -> 1 <= number E.
Proof. induction 1; [cbn; lia|]; change (number (x :: l)) with (x * number l); nia. Qed.
Lemma total_scaled n w P : total (fun j => n * w j) P = n * total w P.
Proof.
  induction P as [|[a x] P IH]; [cbn; lia|].
  change (x * (n * w a) + total (fun j => n * w j) P = n * (x * w a + total w P)); rewrite IH; ring.
Qed.

(** A number with digits at different letters is below the number, and these are its digits. *)
Theorem digits_found E : Forall (Z.le 1) E -> forall P w, NoDup (map fst P) -> fit E P ->
  0 <= total (place E) P < number E /\ weighed E w (total (place E) P) = total w P.
Proof.
  induction 1 as [|n E N F IH]; intros P w D T.
  - destruct P as [|p P]; [cbn; lia|]; inversion T as [|? ? [L _]]; cbn in L; lia.
  - destruct (IH (high P) (fun j => w (S j)) (high_distinct P D) (high_fit n E P T)) as [B V].
    pose proof (low_bound n E P N D T) as L; rewrite total_parts.
    change (fun j => place (n :: E) (S j)) with (fun j => n * place E j); rewrite total_scaled.
    change (place (n :: E) O) with 1; rewrite Z.mul_1_r; set (y := total (place E) (high P)) in *.
    change (number (n :: E)) with (n * number E); split; [nia|].
    rewrite (total_parts w P), <- V; cbn [weighed].
    rewrite (Z.mul_comm n y), Z.mod_add, Z.div_add, Z.mod_small, Z.div_small by lia; reflexivity.
Qed.

(** The layout of a morphism by the digits of the index, and by those of a number. *)
Section Morphism.
Variables (E : list Z) (letters : Forall (Z.le 1) E).

Lemma letter_positive a : 1 <= letter E a.
Proof.
  unfold letter; destruct (Nat.lt_ge_cases a (length E)) as [L|L]; [|rewrite nth_overflow by exact L; lia].
  apply (proj1 (Forall_forall _ _) letters), nth_In, L.
Qed.
Lemma pulled_positive alpha : Forall (Z.le 1) (pulled E alpha).
Proof. apply Forall_forall; intros x X; apply in_map_iff in X; destruct X as (a & <- & _); apply letter_positive. Qed.
Lemma morphism_size alpha : size (layout_of_morphism E alpha) = number (pulled E alpha).
Proof.
  induction alpha as [|a alpha IH]; [reflexivity|].
  change (letter E a * size (layout_of_morphism E alpha) = letter E a * number (pulled E alpha)); congruence.
Qed.

Lemma value_by_digits alpha : forall x, 0 <= x < number (pulled E alpha) ->
  value (layout_of_morphism E alpha) x = total (place E) (combine alpha (digits_of (pulled E alpha) x)).
Proof.
  induction alpha as [|a alpha IH]; intros x X; [reflexivity|].
  change (number (pulled E (a :: alpha))) with (letter E a * number (pulled E alpha)) in X.
  pose proof (letter_positive a); change (layout_of_morphism E (a :: alpha)) with
    ((letter E a, place E a) :: layout_of_morphism E alpha).
  rewrite value_inside by (rewrite ?morphism_size; auto); rewrite IH by (apply quotient_below; auto); reflexivity.
Qed.
Lemma value_by_weights alpha : forall y, 0 <= y < number (pulled E alpha) ->
  value (layout_of_morphism E alpha) y = weighed (pulled E alpha) (fun j => place E (nth j alpha O)) y.
Proof.
  induction alpha as [|a alpha IH]; intros y Y; [reflexivity|].
  change (number (pulled E (a :: alpha))) with (letter E a * number (pulled E alpha)) in Y.
  pose proof (letter_positive a); change (layout_of_morphism E (a :: alpha)) with
    ((letter E a, place E a) :: layout_of_morphism E alpha).
  rewrite value_inside by (rewrite ?morphism_size; auto); rewrite IH by (apply quotient_below; auto); reflexivity.
Qed.
Lemma digits_fit alpha : over (length E) alpha -> forall x, fit E (combine alpha (digits_of (pulled E alpha) x)).
Proof.
  induction 1 as [|a alpha A O IH]; intros x; [constructor|]; constructor; [|apply IH].
  cbn [fst snd]; split; [exact A|apply Z.mod_pos_bound; pose proof (letter_positive a); lia].
Qed.
Lemma digits_letters alpha : forall x, map fst (combine alpha (digits_of (pulled E alpha) x)) = alpha.
Proof. induction alpha as [|a alpha IH]; intros x; [reflexivity|]; cbn in *; rewrite IH; reflexivity. Qed.

(** Remark 3.11: a morphism of different letters has values in [0, N). *)
Theorem remark_3_11 alpha : over (length E) alpha -> NoDup alpha -> forall x, 0 <= x < number (pulled E alpha) ->
  0 <= value (layout_of_morphism E alpha) x < number E.
Proof.
  intros O D x X; rewrite value_by_digits by exact X.
  apply (digits_found E letters (combine alpha (digits_of (pulled E alpha) x)) (fun _ => 0)).
  - rewrite digits_letters; exact D.
  - apply digits_fit, O.
Qed.
End Morphism.

Lemma total_after f w beta : forall xs, total w (combine (map f beta) xs) = total (fun b => w (f b)) (combine beta xs).
Proof.
  induction beta as [|b beta IH]; intros [|x xs]; try reflexivity.
  change (x * w (f b) + total w (combine (map f beta) xs) = x * w (f b) + total (fun b => w (f b)) (combine beta xs)).
  rewrite IH; reflexivity.
Qed.

(** Lemma 3.12: for different letters, the layout of α ∘ β is that of α after that of β. *)
Theorem lemma_3_12 E alpha beta : Forall (Z.le 1) E -> over (length alpha) beta -> NoDup beta ->
  forall x, 0 <= x < number (pulled E (after alpha beta)) ->
  value (layout_of_morphism E (after alpha beta)) x =
  value (layout_of_morphism E alpha) (value (layout_of_morphism (pulled E alpha) beta) x).
Proof.
  intros L O D x X; pose proof (pulled_positive E L alpha) as L'.
  assert (O' : over (length (pulled E alpha)) beta) by (unfold pulled; rewrite map_length; exact O).
  rewrite value_by_digits by auto; rewrite <- pulled_after in X |- * by exact O.
  rewrite (value_by_digits (pulled E alpha) L' beta x X).
  destruct (digits_found (pulled E alpha) L' (combine beta (digits_of (pulled (pulled E alpha) beta) x))
    (fun j => place E (nth j alpha 0%nat))) as [B V].
  - rewrite digits_letters; exact D.
  - apply digits_fit; auto.
  - rewrite value_by_weights by auto; rewrite V; apply total_after.
Qed.

(** Definition 3.14: so different letters make a functor; the identity's layout is the identity. *)
Lemma weighed_same E : forall w w' y, (forall j, (j < length E)%nat -> w j = w' j) -> weighed E w y = weighed E w' y.
Proof.
  induction E as [|n E IH]; intros w w' y H; [reflexivity|]; cbn [weighed]; rewrite (H O) by (cbn; lia).
  rewrite (IH (fun j => w (S j)) (fun j => w' (S j))); [reflexivity|]; intros j J; apply H; cbn; lia.
Qed.
Lemma weighed_places E : Forall (Z.le 1) E -> forall c y, 0 <= y < number E -> weighed E (fun j => c * place E j) y = c * y.
Proof.
  induction 1 as [|n E N F IH]; intros c y Y; [cbn in *; replace y with 0 by lia; lia|].
  change (number (n :: E)) with (n * number E) in Y; cbn [weighed].
  rewrite (weighed_same E _ (fun j => (c * n) * place E j)) by
    (intros j _; change (place (n :: E) (S j)) with (n * place E j); ring).
  rewrite IH by (apply quotient_below; auto); change (place (n :: E) O) with 1.
  pose proof (Z.div_mod y n ltac:(lia)); nia.
Qed.
Theorem identity_realised E : Forall (Z.le 1) E -> forall x, 0 <= x < number E ->
  value (layout_of_morphism E (identity (length E))) x = x.
Proof.
  intros L x X; rewrite value_by_weights by (auto; rewrite pulled_identity; exact X); rewrite pulled_identity.
  rewrite (weighed_same E _ (fun j => 1 * place E j)).
  - rewrite weighed_places by auto; lia.
  - intros j J; unfold identity; rewrite seq_nth by exact J; cbn [Nat.add]; lia.
Qed.
(** Remark 3.11: the layouts of an invertible morphism and of its inverse invert each other on [0, N). *)
Theorem invertible_realised E alpha beta : Forall (Z.le 1) E -> over (length alpha) beta -> NoDup beta ->
  after alpha beta = identity (length E) -> forall x, 0 <= x < number E ->
  value (layout_of_morphism E alpha) (value (layout_of_morphism (pulled E alpha) beta) x) = x.
Proof.
  intros L O D I x X; rewrite <- lemma_3_12; auto; rewrite I; [apply identity_realised; auto|].
  rewrite pulled_identity; exact X.
Qed.
(** Remark 3.11: the unit of digit i goes to that of its letter. *)
Lemma weighed_unit E : Forall (Z.le 2) E -> forall w i, (i < length E)%nat -> weighed E w (place E i) = w i.
Proof.
  assert (Zero : forall E w, Forall (Z.le 2) E -> weighed E w 0 = 0).
  { intros E' w F; revert w; induction F as [|n E' N F IH]; intros w; [reflexivity|]; cbn [weighed].
    rewrite Z.mod_0_l, Z.div_0_l, IH by lia; lia. }
  induction 1 as [|n E N F IH]; intros w i I; [cbn in I; lia|]; cbn [weighed]; destruct i as [|i].
  - change (place (n :: E) O) with 1; rewrite Z.mod_small, Z.div_small, Zero by (auto; lia); lia.
  - change (place (n :: E) (S i)) with (n * place E i).
    rewrite (Z.mul_comm n), Z.mod_mul, Z.div_mul, IH by (cbn in I; lia); lia.
Qed.
Theorem units_realised E alpha i : Forall (Z.le 2) E -> over (length E) alpha -> (i < length alpha)%nat ->
  value (layout_of_morphism E alpha) (place (pulled E alpha) i) = place E (nth i alpha O).
Proof.
  intros L O I; assert (L1 : Forall (Z.le 1) E) by (eapply Forall_impl; [|exact L]; cbn; lia).
  assert (L2 : Forall (Z.le 2) (pulled E alpha)).
  { apply Forall_forall; intros x X; apply in_map_iff in X; destruct X as (a & <- & A).
    apply (proj1 (Forall_forall _ _) L), nth_In, (proj1 (Forall_forall _ _) O a A). }
  assert (J : (i < length (pulled E alpha))%nat) by (unfold pulled; rewrite map_length; exact I).
  rewrite value_by_weights; [apply weighed_unit with (w := fun j => place E (nth j alpha 0%nat)); auto|exact L1|].
  clear - L2 J; revert i J; induction L2 as [|n F N L2 IH]; intros i J; [cbn in J; lia|].
  assert (P : 1 <= number F) by (apply number_positive; eapply Forall_impl; [|exact L2]; cbn; lia).
  change (number (n :: F)) with (n * number F); destruct i as [|i]; [cbn; nia|].
  change (place (n :: F) (S i)) with (n * place F i); pose proof (IH i ltac:(cbn in J; lia)); nia.
Qed.

(** Where a letter is used twice, values leave [0, N), and Lemma 3.12 fails. *)
Theorem values_leave : value (layout_of_morphism [2] [0%nat; 0%nat]) 3 = 2 /\
  value (layout_of_morphism [2; 3] [1%nat; 0%nat; 1%nat]) 17 = 9.
Proof. split; reflexivity. Qed.
Theorem lemma_3_12_needs_different_letters : let twice := [0%nat; 0%nat] in
  value (layout_of_morphism [2] (after twice twice)) 3 = 2 /\
  value (layout_of_morphism [2] twice) (value (layout_of_morphism (pulled [2] twice) twice) 3) = 1.
Proof. split; reflexivity. Qed.
Lemma place_positive E b : Forall (Z.le 2) E -> 1 <= place E b.
Proof.
  intros L; rewrite <- (firstn_skipn b E) in L; apply Forall_app in L; apply number_positive.
  eapply Forall_impl; [|apply L]; cbn; lia.
Qed.
(** A letter fixes size and stride together: no E has the letters 2 and 3 both at place 1. *)
Theorem strides_are_places E a b : Forall (Z.le 2) E -> (a < length E)%nat -> (b < length E)%nat ->
  place E a = place E b -> letter E a = letter E b.
Proof.
  intros L; revert a b; induction L as [|n E N L IH]; intros [|a] [|b] A B P; try reflexivity; try (cbn in A, B; lia).
  - exfalso; change (place (n :: E) (S b)) with (n * place E b) in P; change (place (n :: E) O) with 1 in P.
    pose proof (place_positive E b L); nia.
  - exfalso; change (place (n :: E) (S a)) with (n * place E a) in P; change (place (n :: E) O) with 1 in P.
    pose proof (place_positive E a L); nia.
  - change (letter (n :: E) (S a)) with (letter E a); change (letter (n :: E) (S b)) with (letter E b).
    change (place (n :: E) (S a)) with (n * place E a) in P; change (place (n :: E) (S b)) with (n * place E b) in P.
    apply IH; cbn in A, B; try lia; nia.
Qed.

(** Proposition 3.15: a layout that takes [0, N) to itself, one to one, is that of an invertible morphism. *)
Lemma row_places W L : in_a_row W L -> forall a, (a < length L)%nat ->
  nth a L (1, 0) = (letter (map fst L) a, W * place (map fst L) a).
Proof.
  revert W; induction L as [|[n d] L IH]; intros W R a A; [cbn in A; lia|]; destruct R as [-> R]; destruct a as [|a].
  - change (place (map fst ((n, W) :: L)) 0) with 1; cbn; f_equal; lia.
  - change (nth a L (1, 0) = (letter (map fst L) a, W * (n * place (map fst L) a))).
    rewrite (IH _ R a) by (cbn in A; lia); f_equal; ring.
Qed.
Lemma distinct_images (f : nat -> nat) xs : (forall x y, In x xs -> In y xs -> f x = f y -> x = y) -> NoDup xs ->
  NoDup (map f xs).
Proof.
  induction xs as [|x xs IH]; intros H D; [constructor|]; inversion D; subst; cbn; constructor.
  - intros I; apply in_map_iff in I; destruct I as (y & E & Y).
    rewrite (H y x) in Y; [contradiction|right; exact Y|left; reflexivity|exact E].
  - apply IH; auto; intros a b A B; apply H; right; auto.
Qed.
Theorem proposition_3_15 L : at_least_2 L ->
  (forall x, 0 <= x < size L -> 0 <= value L x < size L) ->
  (forall y, 0 <= y < size L -> exists x, 0 <= x < size L /\ value L x = y) ->
  (forall x x', 0 <= x < size L -> 0 <= x' < size L -> value L x = value L x' -> x = x') ->
  exists E alpha, L = layout_of_morphism E alpha /\
    Forall (Z.le 2) E /\ over (length E) alpha /\ NoDup alpha /\ length alpha = length E.
Proof.
  intros F In Onto Inj; destruct (bijection_is_compact L F In Onto Inj) as (K & P & R).
  destruct (proj1 (Permutation_nth K L (1, 0)) (Permutation_sym P)) as (Len & f & B & I & V).
  exists (map fst K), (map f (seq 0 (length K))); rewrite !map_length, seq_length.
  assert (Below : over (length K) (map f (seq 0 (length K)))).
  { apply Forall_forall; intros a A; apply in_map_iff in A; destruct A as (b & <- & A); apply B; apply in_seq in A; lia. }
  split; [|repeat split; auto].
  - unfold layout_of_morphism; apply (nth_ext _ _ (1, 0) (1, 0)); [rewrite !map_length, seq_length; exact Len|].
    intros n N; rewrite Len in N; rewrite V, (row_places 1 K R) by (try apply B; exact N); rewrite map_map, Z.mul_1_l.
    rewrite (nth_indep _ (1, 0) (letter (map fst K) (f 0%nat), place (map fst K) (f 0%nat))) by
      (rewrite map_length, seq_length; exact N).
    rewrite (map_nth (fun b => (letter (map fst K) (f b), place (map fst K) (f b)))), seq_nth by exact N; reflexivity.
  - apply Forall_forall; intros x X; apply in_map_iff in X; destruct X as (m & <- & M).
    apply (proj1 (Forall_forall _ _) F); apply (Permutation_in m (Permutation_sym P) M).
  - apply distinct_images; [|apply seq_NoDup]; intros a b A C; apply in_seq in A, C; apply I; lia.
Qed.

(** Remark 3.16: where all letters are the same, such as for N = p^k, layouts of permutations compose like these. *)
Lemma pulled_repeat p k alpha : over k alpha -> pulled (repeat p k) alpha = repeat p (length alpha).
Proof.
  induction 1 as [|a alpha A O IH]; [reflexivity|].
  change (letter (repeat p k) a :: pulled (repeat p k) alpha = p :: repeat p (length alpha)); rewrite IH; f_equal.
  unfold letter; rewrite (nth_indep _ 1 p) by (rewrite repeat_length; exact A); apply nth_repeat.
Qed.
Theorem remark_3_16 p k alpha beta : 1 <= p -> over k alpha -> length alpha = k -> over k beta -> length beta = k ->
  NoDup beta -> let f gamma := value (layout_of_morphism (repeat p k) gamma) in
  forall x, 0 <= x < number (repeat p k) -> f (after alpha beta) x = f alpha (f beta x).
Proof.
  intros Q A LA B LB D f x X; unfold f; rewrite lemma_3_12.
  - rewrite pulled_repeat, LA by exact A; reflexivity.
  - apply Forall_forall; intros n N; apply repeat_spec in N; lia.
  - rewrite LA; exact B.
  - exact D.
  - rewrite pulled_repeat; [unfold after; rewrite map_length, LB; exact X|].
    apply after_over; [exact A|rewrite LA; exact B].
Qed.
