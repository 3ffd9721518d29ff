(** Few indices decide a merge: at most one for each boundary, however many indices there are.

    "Merging tensor views", Remark 11, says that all of them have to be checked; proofs/README.md, "The exact
    condition", that k − 1 well chosen ones say everything. *)
From Coq Require Import ZArith Lia List.
From Symview Require Import Digits Theorem10 Carries.
Import ListNotations.
Local Open Scope Z_scope.

(** Of any list of vectors with m entries, at most m say which δ are orthogonal to all of them. *)
Lemma spanning {A : Type} : forall m (I : list A) (v : A -> list Z), (forall i, In i I -> length (v i) = m) ->
  exists W, incl W I /\ (length W <= m)%nat /\
    forall delta, (forall w, In w W -> dot delta (v w) = 0) -> forall i, In i I -> dot delta (v i) = 0.
Proof.
  induction m as [|m IH]; intros I v L.
  - exists []; split; [intros w []|split; [simpl; lia|]]; intros delta _ i J; specialize (L i J).
    destruct (v i); [destruct delta; reflexivity|discriminate].
  - assert (Pivot : (forall i, In i I -> hd 0 (v i) = 0) \/ exists w, In w I /\ hd 0 (v w) <> 0).
    { clear; induction I as [|i I [IH|(w & J & N)]]; [left; intros i []| |right; exists w; split; [right|]; auto].
      destruct (Z.eq_dec (hd 0 (v i)) 0) as [E|N]; [left|right; exists i; split; [left|]; auto].
      intros j [<-|J]; auto. }
    assert (Cons : forall i, In i I -> v i = hd 0 (v i) :: tl (v i)).
    { intros i J; specialize (L i J); destruct (v i); [discriminate|reflexivity]. }
    assert (Tl : forall i, In i I -> length (tl (v i)) = m).
    { intros i J; specialize (L i J); destruct (v i); [discriminate|simpl in *; lia]. }
    destruct Pivot as [Z0|(p & Jp & N)].
    + destruct (IH I (fun i => tl (v i)) Tl) as (W & Sub & Few & H); exists W; split; [auto|split; [lia|]].
      intros [|d delta] Hw i J; [reflexivity|].
      assert (Drop : forall j, In j I -> dot (d :: delta) (v j) = dot delta (tl (v j))).
      { intros j K; rewrite (Cons j K) at 1; cbn [dot]; rewrite (Z0 j K); lia. }
      rewrite Drop by auto; apply H; auto; intros w K; rewrite <- Drop by auto; auto.
    + set (c := hd 0 (v p)) in *.
      assert (Scale : forall k e t u delta, length t = length u ->
        dot delta (map (fun q => k * fst q - e * snd q) (combine t u)) = k * dot delta t - e * dot delta u).
      { clear; intros k e; induction t as [|a t IH]; destruct u as [|b u]; intros delta L; try discriminate.
        - destruct delta; cbn; lia.
        - destruct delta as [|x delta]; cbn [combine map dot fst snd]; [lia|rewrite IH by (simpl in L; lia); ring]. }
      set (v' := fun i => map (fun q => c * fst q - hd 0 (v i) * snd q) (combine (tl (v i)) (tl (v p)))).
      destruct (IH I v') as (W & Sub & Few & H).
      { intros i J; unfold v'; rewrite length_of_map; pose proof (Tl i J) as E; pose proof (Tl p Jp) as F.
        revert F; rewrite <- E; generalize (tl (v i)) (tl (v p)); clear; intros t; induction t as [|a t IH];
          intros [|b u] F; cbn in *; try lia; f_equal; apply IH; lia. }
      exists (p :: W); split; [intros w [<-|K]; auto|split; [simpl; lia|]].
      intros [|d delta] Hw i J; [reflexivity|].
      assert (Zp : d * c + dot delta (tl (v p)) = 0).
      { pose proof (Hw p (or_introl eq_refl)) as E; rewrite (Cons p Jp) in E; exact E. }
      assert (Eliminate : forall j, In j I -> c * dot (d :: delta) (v j) = dot delta (v' j)).
      { intros j K; unfold v'; rewrite Scale by (rewrite !Tl; auto); rewrite (Cons j K) at 1; cbn [dot].
        replace (dot delta (tl (v p))) with (- (d * c)) by lia; ring. }
      assert (E : dot delta (v' i) = 0).
      { apply H; auto; intros w K; rewrite <- Eliminate by auto; rewrite Hw by (right; auto); ring. }
      rewrite <- Eliminate in E by auto; apply Z.mul_eq_0 in E; tauto.
Qed.

(** All indices of a box, in a list. *)
Fixpoint below (k : nat) : list Z :=
  match k with
  | O => []
  | S k' => Z.of_nat k' :: below k'
  end.
Fixpoint indices (s : list Z) : list (list Z) :=
  match s with
  | [] => [[]]
  | n :: s' => flat_map (fun x => map (cons x) (indices s')) (below (Z.to_nat n))
  end.

Lemma below_spec k x : In x (below k) <-> 0 <= x < Z.of_nat k.
Proof. induction k as [|k IH]; cbn [below In]; [lia|rewrite IH; lia]. Qed.

Lemma indices_spec s : forall i, In i (indices s) <-> inbox s i.
Proof.
  induction s as [|n s IH]; intros i; cbn [indices inbox].
  - destruct i; simpl; intuition discriminate.
  - rewrite in_flat_map; split.
    + intros (x & X & J); apply in_map_iff in J; destruct J as (j & <- & J).
      apply below_spec in X; split; [lia|apply IH; auto].
    + destruct i as [|x i]; [tauto|]; intros [X J]; exists x; split; [apply below_spec; lia|].
      apply in_map, IH; auto.
Qed.

Lemma places_of_boundaries s : forall sigma, length sigma = length s ->
  map fst (boundaries s sigma) = removelast (contiguous s).
Proof.
  induction s as [|n s IH]; destruct sigma as [|a sigma]; intros L; try discriminate; [reflexivity|].
  destruct s as [|m s]; destruct sigma as [|b sigma]; try discriminate L; [reflexivity|].
  change (boundaries (n :: m :: s) (a :: b :: sigma))
    with ((size (m :: s), a - m * b) :: boundaries (m :: s) (b :: sigma)).
  cbn [map fst]; rewrite IH by (simpl in *; lia); reflexivity.
Qed.

Lemma total_as_dot h b : total h b = dot (map snd b) (map h (map fst b)).
Proof. induction b as [|[P d] b IH]; cbn [total map fst snd dot]; [reflexivity|rewrite IH; reflexivity]. Qed.

(** For each outer shape of k dims and each inner view there are k − 1 indices, or fewer, that decide for all strides of
    the outer view whether the two merge. *)
Theorem few_witnesses s s' x : positive s -> affine x s' -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  exists W, (forall w, In w W -> inbox s' w) /\ (length W <= pred (length s))%nat /\
    forall sigma, length sigma = length s ->
      affine (fun i => address s sigma (x i)) s' <->
      forall w, In w W -> total (carries x (length s') w) (boundaries s sigma) = 0.
Proof.
  intros P A X; set (v := fun i => map (carries x (length s') i) (removelast (contiguous s))).
  assert (Len : forall s, length (removelast (contiguous s)) = pred (length s)).
  { clear; induction s as [|n s IH]; [reflexivity|]; destruct s as [|m s]; [reflexivity|].
    change (removelast (contiguous (n :: m :: s))) with (size (m :: s) :: removelast (contiguous (m :: s))).
    cbn [length pred] in *; rewrite IH; reflexivity. }
  destruct (spanning (pred (length s)) (indices s') v) as (W & Sub & Few & H).
  { intros i _; unfold v; rewrite length_of_map; apply Len. }
  exists W; split; [intros w J; apply indices_spec; auto|split; [auto|]].
  intros sigma L; rewrite exact_condition by auto.
  assert (E : forall i, total (carries x (length s') i) (boundaries s sigma)
    = dot (map snd (boundaries s sigma)) (v i)).
  { intros i; rewrite total_as_dot, places_of_boundaries by auto; reflexivity. }
  split; intros T i J.
  - apply T, indices_spec; auto.
  - rewrite E; apply H; [intros w K; rewrite <- E; auto|apply indices_spec; auto].
Qed.
