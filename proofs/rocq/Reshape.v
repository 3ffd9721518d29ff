(** Schillinger's criterion: when a strided view has strides for another shape, at every rank.

    Sources: "Criteria and proof for when a new view must be appended" (P. Schillinger, 2024), which is about sizes of 2
    and more, here also of 1, and strides of any sign; proofs/README.md, "The identity". *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Digits Theorem10 Carries.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** Some strides for the shape u list the same addresses, in the same order. *)
Definition reshapable (s sigma u : list Z) : Prop :=
  exists tau, length tau = length u /\ forall x, 0 <= x < size s -> address u tau x = address s sigma x.

(** The defects at one place value, together: dims of size 1 have the place value of their neighbours. *)
Fixpoint defect_at (P : Z) (b : list (Z * Z)) : Z :=
  match b with
  | [] => 0
  | (Q, d) :: b' => (if Q =? P then d else 0) + defect_at P b'
  end.

(** The max merge view, as (size, stride) of each dim: neighbours that are contiguous become one. *)
Fixpoint max_merge (v : list (Z * Z)) : list (Z * Z) :=
  match v with
  | [] => []
  | (n, a) :: v' =>
      match max_merge v' with
      | (m, b) :: r => if a =? m * b then (n * m, b) :: r else (n, a) :: (m, b) :: r
      | [] => [(n, a)]
      end
  end.

(** The shape u falls into blocks whose products are the sizes m. *)
Definition falls_into (u m : list Z) : Prop := exists blocks, concat blocks = u /\ map size blocks = m.

(** * Sections 2.1 and 2.2: splitting and combining *)

(** A dim of size p·q and stride a lists the same as two, (p,q) with the strides (q·a, a), whatever stands before and
    after. Read from left to right this is section 2.1, from right to left 2.2. Nothing is divided by a stride. *)
Theorem split_dim s sigma p q a r rho x : length sigma = length s -> 1 <= p -> 1 <= q -> positive r ->
  address (s ++ (p * q) :: r) (sigma ++ a :: rho) x
  = address (s ++ p :: q :: r) (sigma ++ (q * a) :: a :: rho) x.
Proof.
  unfold address; revert sigma; induction s as [|n s IH]; destruct sigma as [|b sigma]; intros L P Q R;
    try discriminate.
  - cbn [app digits dot size]; pose proof (size_positive r R).
    rewrite mod_by_parts, (Z.mul_comm q (size r)), <- Z.div_div by lia; ring.
  - cbn [app digits dot]; rewrite IH by (auto; simpl in L; lia).
    rewrite !size_app; cbn [size]; rewrite <- (Z.mul_assoc p); reflexivity.
Qed.

(** * Floors at different place values are independent *)

Lemma defect_at_app P b c : defect_at P (b ++ c) = defect_at P b + defect_at P c.
Proof. induction b as [|[Q d] b IH]; cbn [defect_at app]; [lia|rewrite IH; ring]. Qed.

Lemma defect_at_none P b : ~ In P (map fst b) -> defect_at P b = 0.
Proof.
  induction b as [|[Q d] b IH]; cbn [defect_at map fst In]; intros N; [reflexivity|].
  rewrite IH by tauto; destruct (Z.eqb_spec Q P); [tauto|reflexivity].
Qed.

(** A sum over boundaries, one place value after the other. *)
Lemma total_by_places h : forall k b, (length b <= k)%nat ->
  (forall P, In P (map fst b) -> h P = 0 \/ defect_at P b = 0) -> total h b = 0.
Proof.
  induction k as [|k IH]; intros [|[P d] b] L H; try reflexivity; [simpl in L; lia|].
  set (rest := filter (fun e => negb (fst e =? P)) b).
  assert (T : total h b = h P * defect_at P b + total h rest).
  { unfold rest; clear; induction b as [|[Q e] b IH]; cbn [total defect_at filter fst]; [lia|].
    destruct (Z.eqb_spec Q P) as [->|N]; cbn [negb total]; rewrite IH; ring. }
  assert (E : forall Q, Q <> P -> defect_at Q rest = defect_at Q b).
  { intros Q N; unfold rest; clear - N; induction b as [|[R e] b IH]; cbn [defect_at filter fst]; [reflexivity|].
    destruct (Z.eqb_spec R P) as [->|M]; cbn [negb defect_at]; rewrite IH; auto.
    destruct (Z.eqb_spec P Q); [congruence|reflexivity]. }
  assert (I : forall Q, In Q (map fst rest) -> In Q (map fst b) /\ Q <> P).
  { intros Q J; apply in_map_iff in J; destruct J as ((Q', e) & <- & J); apply filter_In in J; destruct J as [J N].
    split; [apply (in_map fst) in J; auto|]; cbn [fst] in *; apply negb_true_iff, Z.eqb_neq in N; auto. }
  cbn [total]; rewrite T, (IH rest).
  - destruct (H P (or_introl eq_refl)) as [Z0|Z0]; [rewrite Z0; ring|].
    cbn [defect_at] in Z0; rewrite Z.eqb_refl in Z0; replace (d * h P) with (h P * d) by ring; nia.
  - unfold rest; clear - L; simpl in L; transitivity (length b); [|lia].
    induction b as [|e b IH]; cbn [filter]; [simpl; lia|]; destruct (negb _); simpl in *; lia.
  - intros Q J; destruct (I Q J) as [J' N]; rewrite E by auto.
    destruct (H Q (or_intror J')) as [Z0|Z0]; auto; right.
    cbn [defect_at] in Z0; destruct (Z.eqb_spec P Q); [congruence|lia].
Qed.

(** If Σ δ·floor(x/P) = 0 for all x from 0 to N − 1, the δ of each place value below N add up to 0. *)
Theorem floors_independent b N : (forall P, In P (map fst b) -> 1 <= P) ->
  (forall x, 0 <= x < N -> total (fun P => x / P) b = 0) ->
  forall P, 1 <= P < N -> defect_at P b = 0.
Proof.
  intros Pos H P B; assert (G : forall k P, 1 <= P < N -> P <= Z.of_nat k -> defect_at P b = 0).
  { clear P B; induction k as [|k IH]; intros P B K; [lia|].
    set (h := fun Q => P / Q - (if Q =? P then 1 else 0)).
    assert (E : total h b = total (fun Q => P / Q) b - defect_at P b).
    { unfold h; clear; induction b as [|[Q d] b IH]; cbn [total defect_at]; [lia|]; rewrite IH.
      destruct (Q =? P); ring. }
    rewrite (H P) in E by lia.
    rewrite (total_by_places h (length b) b (le_n _)) in E; [lia|].
    intros Q I; specialize (Pos Q I); unfold h; destruct (Z.lt_trichotomy Q P) as [L|[->|L]].
    - right; apply IH; lia.
    - left; rewrite Z.eqb_refl, Z.div_same by lia; lia.
    - left; rewrite Z.div_small by lia; destruct (Z.eqb_spec Q P); lia. }
  apply (G (Z.to_nat P)); lia.
Qed.

(** * The criterion *)

Lemma contiguous_divides u P : positive u -> In P (contiguous u) -> 1 <= P /\ exists k, size u = k * P.
Proof.
  induction u as [|n u IH]; simpl; intros Q I; [tauto|].
  destruct (positive_cons _ _ Q) as [N Q']; destruct I as [<-|I].
  - split; [apply size_positive; auto|exists n; ring].
  - destruct (IH Q' I) as [L (k & E)]; split; auto; exists (n * k); rewrite E; ring.
Qed.

(** The place values of a shape never overflow on the way through its own numbers. *)
Lemma own_places_never_overflow u P : positive u -> In P (contiguous u) -> affine (fun i => ravel u i / P) u.
Proof.
  induction u as [|n u IH]; simpl; intros Q I; [tauto|].
  destruct (positive_cons _ _ Q) as [N Q']; pose proof (size_positive u Q') as Size; destruct I as [<-|I].
  - exists 0, (1 :: zeros (length u)); split; [simpl; rewrite zeros_length; auto|].
    intros [|x i] B; [simpl in B; tauto|]; destruct B as [X B]; cbn [dot]; pose proof (ravel_bounds u i B).
    rewrite Z.add_comm, Z.div_add, Z.div_small by lia.
    replace (dot (zeros (length u)) i) with 0; [lia|].
    generalize (length u); intros l; clear; revert i; induction l; destruct i; cbn; auto.
  - destruct (contiguous_divides u P Q' I) as [L (k & E)]; destruct (IH Q' I) as (o & tau & M & H).
    exists o, (k :: tau); split; [simpl; auto|].
    intros [|x i] B; [simpl in B; tauto|]; destruct B as [X B]; cbn [dot]; rewrite E.
    replace (x * (k * P) + ravel u i) with (ravel u i + (k * x) * P) by ring.
    rewrite Z.div_add, (H i B) by lia; ring.
Qed.

(** A reshape of a view is possible if and only if, at each place value P from 2 to size − 1 that the new shape does not
    have, the defects of the old dims add up to 0. For all positive sizes, sizes of 1 included, and all strides. *)
Theorem reshape_criterion s sigma u :
  positive s -> positive u -> length sigma = length s -> size u = size s ->
  reshapable s sigma u <->
  forall P, 1 < P < size s -> ~ In P (contiguous u) -> defect_at P (boundaries s sigma) = 0.
Proof.
  intros Ps Pu L N; split.
  - intros (tau & M & H) P B NotIn.
    set (negative := map (fun e => (fst e, - snd e)) (boundaries u tau)).
    set (b := (1, last sigma 0 - last tau 0) :: boundaries s sigma ++ negative).
    assert (Fst : map fst negative = map fst (boundaries u tau)).
    { unfold negative; generalize (boundaries u tau); intros l; induction l as [|e l IH]; simpl; congruence. }
    assert (Neg : forall h, total h negative = - total h (boundaries u tau)).
    { intros h; unfold negative; generalize (boundaries u tau); intros l.
      induction l as [|[Q d] l IH]; cbn [map fst snd total]; [lia|rewrite IH; ring]. }
    assert (Z0 : defect_at P b = 0).
    { apply (floors_independent b (size s)); [| |lia].
      - intros Q I; unfold b in I; cbn [map fst In] in I; rewrite map_app, Fst in I.
        destruct I as [<-|I]; [lia|]; apply in_app_or in I; destruct I as [I|I];
          [apply (boundaries_positive s sigma)|apply (boundaries_positive u tau)]; auto.
      - intros x X; unfold b; cbn [total]; rewrite total_app, Neg, Z.div_1_r.
        specialize (H x X); rewrite (identity u tau x), (identity s sigma x) in H by (auto; lia); lia. }
    unfold b in Z0; cbn [defect_at] in Z0; rewrite defect_at_app, (defect_at_none P negative) in Z0.
    + destruct (Z.eqb_spec 1 P); lia.
    + rewrite Fst; intros I; apply NotIn, (boundaries_are_places u tau); auto.
  - intros H.
    assert (Bounds : forall i, inbox u i -> 0 <= ravel u i < size s)
      by (intros; rewrite <- N; apply ravel_bounds; auto).
    assert (Affine : affine (ravel u) u).
    { exists 0, (contiguous u); split; [clear; induction u; simpl; auto|]; intros; rewrite ravel_contiguous; lia. }
    assert (A : affine (fun i => address s sigma (ravel u i)) u).
    { apply exact_condition; auto; intros i B; apply (total_by_places _ _ _ (le_n _)); intros P I.
      pose proof (boundaries_positive s sigma P Ps I) as L1.
      destruct (in_dec Z.eq_dec P (contiguous u)) as [J|J].
      { left; apply (proj1 (affine_iff_no_bend _ u)); auto; apply own_places_never_overflow; auto. }
      destruct (Z.eq_dec P 1) as [->|L2].
      { left; unfold carries; rewrite (bend_ext u _ (ravel u)) by (auto; intros; apply Z.div_1_r).
        apply (proj1 (affine_iff_no_bend _ u)); auto. }
      destruct (Z.lt_ge_cases P (size s)) as [L3|L3]; [right; apply H; auto; lia|left].
      unfold carries; rewrite (bend_ext u _ (fun _ => 0)), bend_zero; auto.
      intros k K; apply Z.div_small; specialize (Bounds k K); lia. }
    exists (slopes (fun i => address s sigma (ravel u i)) (length u)); split; [apply slopes_length|]; intros x X.
    pose proof (affine_by_slopes _ _ A (digits u x) (digits_inbox u x Pu)) as E; cbn beta in E.
    rewrite ravel_digits_inside, (ravel_contiguous u (zeros _)), dot_zeros, address_0 in E by (auto; lia).
    unfold address at 1; lia.
Qed.

Lemma places_are_boundaries m : forall tau P, length tau = length m -> P <> 1 -> In P (contiguous m) ->
  In P (map fst (boundaries m tau)).
Proof.
  induction m as [|k m IH]; destruct tau as [|a tau]; intros P L N I; try discriminate; [destruct I|].
  destruct m as [|k' m]; [cbn in I; destruct I as [<-|[]]; congruence|]; destruct tau as [|a' tau]; [discriminate L|].
  change (boundaries (k :: k' :: m) (a :: a' :: tau))
    with ((size (k' :: m), a - k' * a') :: boundaries (k' :: m) (a' :: tau)).
  destruct I as [<-|I]; [left; reflexivity|right; apply IH; auto; simpl in *; lia].
Qed.

(** * Section 3: sizes of 2 and more *)

Definition at_least_2 (s : list Z) : Prop := Forall (fun n => 2 <= n) s.

Lemma at_least_2_cons n s : at_least_2 (n :: s) -> 2 <= n /\ at_least_2 s.
Proof. intros H; inversion H; auto. Qed.

Lemma at_least_2_positive s : at_least_2 s -> positive s.
Proof. unfold at_least_2, positive; induction 1; constructor; auto; lia. Qed.

Lemma places_below s P : at_least_2 s -> In P (contiguous s) -> 1 <= P < size s.
Proof.
  induction s as [|n s IH]; simpl; intros S I; [tauto|].
  destruct (at_least_2_cons _ _ S) as [N S']; pose proof (size_positive s (at_least_2_positive s S')).
  destruct I as [<-|I]; [nia|specialize (IH S' I); nia].
Qed.

(** Place values are then different, so that no defects are added up. *)
Lemma defect_is_at s : forall sigma P d, at_least_2 s -> In (P, d) (boundaries s sigma) ->
  defect_at P (boundaries s sigma) = d /\ 1 < P < size s.
Proof.
  induction s as [|n s IH]; destruct sigma as [|a sigma]; intros P d S I; try (simpl in I; tauto).
  - destruct s; simpl in I; tauto.
  - destruct s as [|m s]; [simpl in I; tauto|]; destruct sigma as [|b sigma]; [simpl in I; tauto|].
    destruct (at_least_2_cons _ _ S) as [N S']; destruct (at_least_2_cons _ _ S') as [M S''].
    pose proof (size_positive s (at_least_2_positive s S'')) as Q.
    change (boundaries (n :: m :: s) (a :: b :: sigma))
      with ((size (m :: s), a - m * b) :: boundaries (m :: s) (b :: sigma)) in *.
    change (size (n :: m :: s)) with (n * size (m :: s)).
    assert (R : 2 <= size (m :: s)) by (cbn [size]; nia).
    assert (R' : size (m :: s) < n * size (m :: s)) by (clear - N R; nia).
    cbn [defect_at]; destruct I as [I|I].
    + injection I as <- <-; change (m * size s) with (size (m :: s)) in *.
      rewrite Z.eqb_refl, defect_at_none; [split; lia|].
      intros J; apply boundaries_are_places in J; apply places_below in J; auto; lia.
    + destruct (IH (b :: sigma) P d S' I) as [E B]; rewrite E.
      destruct (Z.eqb_spec (size (m :: s)) P); split; lia.
Qed.

(** For sizes of 2 and more: exactly if each boundary is contiguous, or a boundary of the new shape as well. *)
Theorem reshape_criterion_2 s sigma u :
  at_least_2 s -> positive u -> length sigma = length s -> size u = size s ->
  reshapable s sigma u <-> forall P d, In (P, d) (boundaries s sigma) -> d = 0 \/ In P (contiguous u).
Proof.
  intros S Pu L N; rewrite reshape_criterion by (auto; apply at_least_2_positive; auto); split.
  - intros H P d I; destruct (defect_is_at s sigma P d S I) as [E B].
    destruct (in_dec Z.eq_dec P (contiguous u)) as [J|J]; [auto|left]; rewrite <- E; auto.
  - intros H P B J; destruct (in_dec Z.eq_dec P (map fst (boundaries s sigma))) as [I|I]; [|apply defect_at_none; auto].
    apply in_map_iff in I; destruct I as ((Q, d) & E & I); cbn [fst] in E; subst Q.
    rewrite (proj1 (defect_is_at s sigma P d S I)); destruct (H P d I); tauto.
Qed.

(** * The max merge view *)

Lemma max_merge_first n a v : exists m b r, max_merge ((n, a) :: v) = (m, b) :: r /\ m * b = n * a.
Proof.
  cbn [max_merge]; destruct (max_merge v) as [|[m b] r]; [exists n, a, []; auto|].
  destruct (Z.eqb_spec a (m * b)) as [->|N]; [exists (n * m), b, r|exists n, a, ((m, b) :: r)]; split; auto; ring.
Qed.

Lemma max_merge_facts s : forall sigma, length sigma = length s ->
  let v := max_merge (combine s sigma) in
  size (map fst v) = size s /\ last (map snd v) 0 = last sigma 0 /\
  boundaries (map fst v) (map snd v) = filter (fun b => negb (snd b =? 0)) (boundaries s sigma).
Proof.
  induction s as [|n s IH]; destruct sigma as [|a sigma]; intros L; try discriminate; [cbn; auto|].
  destruct s as [|m s]; destruct sigma as [|b sigma]; try discriminate L; [cbn; auto|].
  destruct (IH (b :: sigma) ltac:(simpl in *; lia)) as (N & E & F); cbv zeta in *.
  change (combine (n :: m :: s) (a :: b :: sigma)) with ((n, a) :: (m, b) :: combine s sigma).
  change (combine (m :: s) (b :: sigma)) with ((m, b) :: combine s sigma) in *.
  change (boundaries (n :: m :: s) (a :: b :: sigma))
    with ((size (m :: s), a - m * b) :: boundaries (m :: s) (b :: sigma)).
  change (last (a :: b :: sigma) 0) with (last (b :: sigma) 0).
  change (size (n :: m :: s)) with (n * size (m :: s)).
  destruct (max_merge_first m b (combine s sigma)) as (k & c & r & Q & KC).
  change (max_merge ((n, a) :: (m, b) :: combine s sigma))
    with (match max_merge ((m, b) :: combine s sigma) with
          | (m, b) :: r => if a =? m * b then (n * m, b) :: r else (n, a) :: (m, b) :: r
          | [] => [(n, a)] end).
  rewrite Q in *; cbn [filter snd]; destruct (Z.eqb_spec a (k * c)) as [->|D].
  - replace (k * c - m * b) with 0 by lia; cbn [Z.eqb negb map fst snd].
    repeat split; [rewrite <- N; cbn [map fst size]; ring|rewrite <- E; destruct r; reflexivity|rewrite <- F].
    destruct r as [|[k' c'] r]; reflexivity.
  - replace (a - m * b =? 0) with false by (symmetry; apply Z.eqb_neq; lia); cbn [negb map fst snd].
    repeat split; [rewrite <- N; reflexivity|rewrite <- E; reflexivity|].
    rewrite <- F, <- N; cbn [map fst snd boundaries]; rewrite KC; reflexivity.
Qed.

(** The max merge view lists the same addresses. *)
Theorem max_merge_same s sigma x : positive s -> positive (map fst (max_merge (combine s sigma))) ->
  length sigma = length s -> 0 <= x < size s ->
  address (map fst (max_merge (combine s sigma))) (map snd (max_merge (combine s sigma))) x = address s sigma x.
Proof.
  intros P Q L X; destruct (max_merge_facts s sigma L) as (N & E & F).
  rewrite !identity; auto; [|rewrite !length_of_map; auto|rewrite N; auto].
  rewrite E, F; f_equal; clear; induction (boundaries s sigma) as [|[R d] b IH]; [reflexivity|]; cbn [filter snd].
  destruct (Z.eqb_spec d 0) as [->|D]; cbn [negb total]; rewrite IH; ring.
Qed.

Lemma max_merge_at_least_2 s : forall sigma, at_least_2 s -> at_least_2 (map fst (max_merge (combine s sigma))).
Proof.
  unfold at_least_2; induction s as [|n s IH]; destruct sigma as [|a sigma]; intros S; try constructor.
  destruct (at_least_2_cons _ _ S) as [N S']; specialize (IH sigma S'); cbn [combine max_merge].
  destruct (max_merge (combine s sigma)) as [|[m b] r]; [repeat constructor; auto|].
  inversion IH as [|? ? M R]; subst; destruct (a =? m * b); repeat constructor; auto; cbn [fst] in *; nia.
Qed.

(** * Blocks *)

Lemma place_splits u P : In P (contiguous u) -> exists b r, u = b ++ r /\ b <> [] /\ size r = P.
Proof.
  induction u as [|n u IH]; simpl; intros I; [tauto|]; destruct I as [<-|I].
  - exists [n], u; repeat split; auto; discriminate.
  - destruct (IH I) as (b & r & -> & N & E); exists (n :: b), r; repeat split; auto; discriminate.
Qed.

Lemma splits_place b r : b <> [] -> In (size r) (contiguous (b ++ r)).
Proof.
  induction b as [|n b IH]; intros N; [congruence|]; cbn [app contiguous].
  destruct b as [|m b]; [left; reflexivity|right; apply IH; discriminate].
Qed.

Lemma places_of_app b r P : positive b -> positive r -> In P (contiguous (b ++ r)) -> P < size r -> In P (contiguous r).
Proof.
  intros B R I L; induction b as [|n b IH]; [auto|]; destruct (positive_cons _ _ B) as [N B'].
  cbn [app contiguous] in I; destruct I as [<-|I]; [|auto].
  rewrite size_app in L; pose proof (size_positive b B'); pose proof (size_positive r R); nia.
Qed.

Lemma places_stay b r P : In P (contiguous r) -> In P (contiguous (b ++ r)).
Proof. induction b as [|n b IH]; intros I; [auto|right; apply IH; auto]. Qed.

Lemma positive_app b r : positive (b ++ r) <-> positive b /\ positive r.
Proof. unfold positive; apply Forall_app. Qed.

(** A shape falls into blocks exactly if it has all their place values. *)
Theorem falls_into_iff m : forall u, at_least_2 m -> at_least_2 u -> size u = size m ->
  falls_into u m <-> forall P, In P (contiguous m) -> P = 1 \/ In P (contiguous u).
Proof.
  induction m as [|k m IH]; intros u M U N.
  - assert (u = []) as ->; [|split; [intros _ P []|intros _; exists []; auto]].
    destruct u as [|n u]; auto; destruct (at_least_2_cons _ _ U) as [G U'].
    pose proof (size_positive u (at_least_2_positive u U')); cbn [size] in N; nia.
  - destruct (at_least_2_cons _ _ M) as [K M']; pose proof (size_positive m (at_least_2_positive m M')) as Pm.
    pose proof (at_least_2_positive u U) as Pu; split.
    + intros (blocks & C & S); destruct blocks as [|b blocks]; [discriminate|]; cbn [map concat] in *.
      injection S as S S'; set (r := concat blocks) in *; subst u; apply Forall_app in U; destruct U as [Ub Ur].
      assert (Nr : size r = size m).
      { rewrite size_app, S in N; cbn [size] in N; nia. }
      intros P I; cbn [contiguous] in I; destruct I as [<-|I].
      * right; rewrite <- Nr; apply splits_place; intros ->; cbn [size] in S; lia.
      * destruct (proj1 (IH r M' Ur Nr) (ex_intro _ blocks (conj eq_refl S')) P I); auto.
        right; apply places_stay; auto.
    + intros H; assert (Split : exists b r, u = b ++ r /\ size r = size m).
      { destruct (H (size m) (or_introl eq_refl)) as [E|I].
        - exists u, []; rewrite app_nil_r; cbn [size]; auto.
        - destruct (place_splits u _ I) as (b & r & E & _ & F); eauto. }
      destruct Split as (b & r & -> & F); apply Forall_app in U; destruct U as [Ub Ur].
      assert (S : size b = k) by (rewrite size_app, F in N; cbn [size] in N; nia).
      destruct (proj2 (IH r M' Ur F)) as (blocks & C & T).
      * intros P I; destruct (H P (or_intror I)) as [E|J]; auto; right.
        apply (places_of_app b); try (apply at_least_2_positive); auto.
        pose proof (places_below m P M' I); lia.
      * exists (b :: blocks); split; cbn [concat map]; congruence.
Qed.

(** Section 3 with 2.3: for sizes of 2 and more, a reshape needs no second view if and only if the new shape falls into
    blocks as large as the sizes of the max merge view. *)
Theorem schillinger s sigma u :
  at_least_2 s -> at_least_2 u -> length sigma = length s -> size u = size s ->
  reshapable s sigma u <-> falls_into u (map fst (max_merge (combine s sigma))).
Proof.
  intros S U L N; destruct (max_merge_facts s sigma L) as (Nm & _ & F).
  rewrite reshape_criterion_2, falls_into_iff; auto; try (apply at_least_2_positive); auto;
    [|apply max_merge_at_least_2; auto|lia].
  set (v := max_merge (combine s sigma)) in *; split; intros H.
  - intros P I; destruct (Z.eq_dec P 1) as [|N1]; auto; right.
    assert (J : In P (map fst (boundaries (map fst v) (map snd v)))).
    { apply places_are_boundaries; auto; rewrite !length_of_map; auto. }
    rewrite F in J; apply in_map_iff in J; destruct J as ((Q, d) & <- & J); apply filter_In in J; cbn [fst snd] in *.
    destruct J as [J D]; apply negb_true_iff, Z.eqb_neq in D; destruct (H Q d J); tauto.
  - intros P d I; destruct (Z.eq_dec d 0) as [|D]; auto; right.
    destruct (H P) as [->|J]; auto; [|destruct (defect_is_at s sigma 1 d S I); lia].
    apply (boundaries_are_places _ (map snd v)); rewrite F; apply in_map_iff; exists (P, d); split; auto.
    apply filter_In; split; auto; cbn [snd]; apply negb_true_iff, Z.eqb_neq; auto.
Qed.

(** * Sizes of 1 are left out *)

Definition not_1 (n : Z) : bool := negb (n =? 1).
Definition without_ones (s sigma : list Z) : list (Z * Z) := filter (fun e => not_1 (fst e)) (combine s sigma).

Lemma without_ones_facts s : forall sigma x, positive s -> length sigma = length s ->
  let v := without_ones s sigma in
  map fst v = filter not_1 s /\ size (filter not_1 s) = size s /\ at_least_2 (filter not_1 s) /\
  address (filter not_1 s) (map snd v) x = address s sigma x.
Proof.
  unfold without_ones, address; induction s as [|n s IH]; destruct sigma as [|a sigma]; intros x P L; try discriminate.
  - repeat split; constructor.
  - destruct (positive_cons _ _ P) as [N P'].
    destruct (IH sigma x P' ltac:(simpl in L; lia)) as (E & F & G & H); cbv zeta in *.
    cbn [combine filter fst size digits dot]; destruct (not_1 n) eqn:D.
    + cbn [map fst snd size digits dot]; rewrite E, F, H; repeat split; auto.
      constructor; auto; unfold not_1 in D; apply negb_true_iff, Z.eqb_neq in D; lia.
    + unfold not_1 in D; apply negb_false_iff, Z.eqb_eq in D; subst n.
      rewrite Z.mod_1_r, Z.mul_0_r, Z.mul_1_l; auto.
Qed.

Lemma reshapable_without_ones s sigma u : positive s -> positive u -> length sigma = length s ->
  reshapable s sigma u <-> reshapable (filter not_1 s) (map snd (without_ones s sigma)) (filter not_1 u).
Proof.
  intros P U L; split; intros (tau & M & H).
  - exists (map snd (without_ones u tau)); split.
    + destruct (without_ones_facts u tau 0 U M) as (E & _); rewrite <- E, !length_of_map; auto.
    + intros x X; destruct (without_ones_facts u tau x U M) as (_ & _ & _ & ->).
      destruct (without_ones_facts s sigma x P L) as (_ & N & _ & ->); apply H; lia.
  - assert (G : exists tau', length tau' = length u /\ map snd (without_ones u tau') = tau).
    { clear - U M; revert tau M; induction u as [|n u IH]; intros tau M.
      - destruct tau; [exists []; auto|discriminate].
      - destruct (positive_cons _ _ U) as [N U']; cbn [filter] in M.
        unfold without_ones in *; destruct (not_1 n) eqn:D.
        + destruct tau as [|a tau]; [discriminate|].
          destruct (IH U' tau ltac:(simpl in M; lia)) as (tau' & L & E); exists (a :: tau'); split; [simpl; auto|].
          cbn [combine filter fst]; rewrite D; cbn [map snd]; congruence.
        + destruct (IH U' tau M) as (tau' & L & E); exists (0 :: tau'); split; [simpl; auto|].
          cbn [combine filter fst]; rewrite D; exact E. }
    destruct G as (tau' & L' & E); exists tau'; split; auto; intros x X.
    destruct (without_ones_facts u tau' x U L') as (_ & _ & _ & <-); rewrite E.
    destruct (without_ones_facts s sigma x P L) as (_ & N & _ & <-); apply H; lia.
Qed.

(** Schillinger's criterion for all positive sizes: leave out the dims of size 1 on both sides first. *)
Theorem schillinger_with_ones s sigma u :
  positive s -> positive u -> length sigma = length s -> size u = size s ->
  reshapable s sigma u <-> falls_into (filter not_1 u) (map fst (max_merge (without_ones s sigma))).
Proof.
  intros P U L N; rewrite reshapable_without_ones by auto.
  destruct (without_ones_facts s sigma 0 P L) as (E & F & G & _).
  destruct (without_ones_facts u u 0 U eq_refl) as (_ & F' & G' & _); cbv zeta in *.
  rewrite schillinger; auto; [|rewrite <- E, !length_of_map; auto|lia].
  replace (combine (filter not_1 s) (map snd (without_ones s sigma))) with (without_ones s sigma); [tauto|].
  rewrite <- E; generalize (without_ones s sigma); intros v; induction v as [|[n a] v IH]; cbn; congruence.
Qed.

(** * Where the paper's statement fails *)

(** With a size of 0 nothing is listed, and every reshape is possible. *)
Theorem empty_views_reshape s sigma u (tau : list Z) : size s <= 0 -> length tau = length u -> reshapable s sigma u.
Proof. intros N L; exists tau; split; auto; intros; lia. Qed.

(** With a dim of size 1 left in, (2,1,2):(0,1,0) is its own max merge view, and (4) does not fall into (2,1,2), but the
    reshape to (4) is possible, with the stride 0. *)
Theorem a_size_of_1_hides_neighbours :
  max_merge [(2, 0); (1, 1); (2, 0)] = [(2, 0); (1, 1); (2, 0)] /\ ~ falls_into [4] [2; 1; 2] /\
  reshapable [2; 1; 2] [0; 1; 0] [4].
Proof.
  split; [reflexivity|split].
  - intros (blocks & C & S); destruct blocks as [|b [|c blocks]]; try discriminate.
    injection S as Sb Sc _; destruct b as [|n b]; [discriminate|]; cbn in C; injection C as -> C.
    destruct b; [discriminate|discriminate].
  - exists [0]; split; [reflexivity|intros x X].
    unfold address; cbn [digits dot size]; rewrite Z.mod_1_r; ring.
Qed.
