(** The exact condition: two views merge exactly if the strides cancel every carry.

    Sources: proofs/README.md, "The theory"; "Merging tensor views", sections 4.3 and 5, which are drafts of it. All of
    it holds at every rank, for strides of any sign, with an offset. *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Digits Theorem10.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** Between dims l and l+1 of a view: the place value P_l, and how far the dims are from contiguous, the defect
    δ_l = σ_l − s_{l+1}·σ_{l+1}. *)
Fixpoint boundaries (s sigma : list Z) : list (Z * Z) :=
  match s, sigma with
  | n :: ((m :: _) as s'), a :: ((b :: _) as sigma') => (size s', a - m * b) :: boundaries s' sigma'
  | _, _ => []
  end.

(** Σ δ·h(P) over boundaries. *)
Fixpoint total (h : Z -> Z) (b : list (Z * Z)) : Z :=
  match b with
  | [] => 0
  | (P, delta) :: b' => delta * h P + total h b'
  end.

(** How far a function is, at i, from the affine function through 0 and the unit indices. *)
Definition bend (g : list Z -> Z) (l : nat) (i : list Z) : Z := g i - g (zeros l) - dot (slopes g l) i.

(** How often boundary P overflowed on the way to i. *)
Definition carries (x : list Z -> Z) (l : nat) (i : list Z) (P : Z) : Z := bend (fun i => x i / P) l i.

(** * The identity f = σ_k·x + Σ δ_l·floor(x/P_l) *)

Lemma total_ext h g b : (forall P, In P (map fst b) -> h P = g P) -> total h b = total g b.
Proof.
  induction b as [|[P d] b IH]; simpl; intros E; [reflexivity|].
  rewrite IH, (E P) by auto; reflexivity.
Qed.

Lemma total_app h b c : total h (b ++ c) = total h b + total h c.
Proof. induction b as [|[P d] b IH]; cbn [total app]; [lia|rewrite IH; ring]. Qed.

Lemma total_zero h b : (forall P d, In (P, d) b -> d = 0 \/ h P = 0) -> total h b = 0.
Proof.
  induction b as [|[P d] b IH]; cbn [total]; intros Z0; [reflexivity|].
  rewrite IH by (intros; apply Z0; right; auto).
  destruct (Z0 P d (or_introl eq_refl)) as [->| ->]; ring.
Qed.

Lemma quotient_of_digit x n c : 1 <= n -> 1 <= c -> (x / c) mod n = x / c - n * (x / (n * c)).
Proof.
  intros N C; rewrite (Z.mul_comm n c), <- Z.div_div by lia.
  pose proof (Z.div_mod (x / c) n); lia.
Qed.

(** Beyond the tensor the first dim is a boundary too. *)
Lemma identity_everywhere s : forall sigma x, positive s -> length sigma = length s ->
  address s sigma x
  = last sigma 0 * x + total (fun P => x / P) (boundaries s sigma) - hd 0 s * hd 0 sigma * (x / size s).
Proof.
  unfold address; induction s as [|n s IH]; destruct sigma as [|a sigma]; intros x P L; try discriminate.
  - simpl; lia.
  - destruct (positive_cons _ _ P) as [N P']; pose proof (size_positive s P').
    cbn [digits dot]; rewrite quotient_of_digit by auto; rewrite IH by (auto; simpl in L; lia).
    destruct s as [|m s]; destruct sigma as [|b sigma]; try discriminate L.
    + cbn; rewrite Z.div_1_r; lia.
    + cbn [boundaries total hd]; change (last (a :: b :: sigma) 0) with (last (b :: sigma) 0).
      change (size (n :: m :: s)) with (n * size (m :: s)); ring.
Qed.

Lemma boundaries_positive s : forall sigma P, positive s -> In P (map fst (boundaries s sigma)) -> 1 <= P.
Proof.
  induction s as [|n s IH]; destruct sigma as [|a sigma]; intros P Q I; try (simpl in I; tauto).
  - destruct s; simpl in I; tauto.
  - destruct (positive_cons _ _ Q) as [N Q'].
    destruct s as [|m s]; [simpl in I; tauto|]; destruct sigma as [|b sigma]; [simpl in I; tauto|].
    change (boundaries (n :: m :: s) (a :: b :: sigma))
      with ((size (m :: s), a - m * b) :: boundaries (m :: s) (b :: sigma)) in I.
    destruct I as [<-|I]; [apply size_positive; auto|apply (IH (b :: sigma)); auto].
Qed.

Lemma boundaries_are_places s : forall sigma P, In P (map fst (boundaries s sigma)) -> In P (contiguous s).
Proof.
  induction s as [|n s IH]; destruct sigma as [|a sigma]; intros P I; try (simpl in I; tauto).
  - destruct s; simpl in I; tauto.
  - destruct s as [|m s]; [simpl in I; tauto|]; destruct sigma as [|b sigma]; [simpl in I; tauto|].
    change (boundaries (n :: m :: s) (a :: b :: sigma))
      with ((size (m :: s), a - m * b) :: boundaries (m :: s) (b :: sigma)) in I.
    destruct I as [<-|I]; [left; reflexivity|right; apply (IH (b :: sigma)); auto].
Qed.

(** The identity, inside the tensor: the address of x is σ_k·x + Σ δ_l·floor(x/P_l). *)
Theorem identity s sigma x : positive s -> length sigma = length s -> 0 <= x < size s ->
  address s sigma x = last sigma 0 * x + total (fun P => x / P) (boundaries s sigma).
Proof. intros P L X; rewrite identity_everywhere, (Z.div_small x) by auto; ring. Qed.

(** Strides, and defects with the last stride, determine each other. *)
Theorem strides_from_defects s : forall sigma tau, length sigma = length s -> length tau = length s ->
  boundaries s sigma = boundaries s tau -> last sigma 0 = last tau 0 -> sigma = tau.
Proof.
  induction s as [|n s IH]; destruct sigma as [|a sigma]; destruct tau as [|b tau]; intros L M E F; try discriminate;
    auto.
  destruct s as [|m s].
  - destruct sigma; [|discriminate]; destruct tau; [|discriminate]; simpl in F; congruence.
  - destruct sigma as [|a' sigma]; [discriminate|]; destruct tau as [|b' tau]; [discriminate|].
    change (last (a :: a' :: sigma) 0) with (last (a' :: sigma) 0) in F.
    change (last (b :: b' :: tau) 0) with (last (b' :: tau) 0) in F.
    change (boundaries (n :: m :: s) (a :: a' :: sigma))
      with ((size (m :: s), a - m * a') :: boundaries (m :: s) (a' :: sigma)) in E.
    change (boundaries (n :: m :: s) (b :: b' :: tau))
      with ((size (m :: s), b - m * b') :: boundaries (m :: s) (b' :: tau)) in E.
    injection E as D E; specialize (IH (a' :: sigma) (b' :: tau) ltac:(simpl in *; lia) ltac:(simpl in *; lia) E F).
    injection IH as -> ->; f_equal; lia.
Qed.

Theorem defects_are_free s : forall delta c, s <> [] -> S (length delta) = length s ->
  exists sigma, length sigma = length s /\ map snd (boundaries s sigma) = delta /\ last sigma 0 = c.
Proof.
  induction s as [|n s IH]; intros delta c N L; [congruence|]; destruct s as [|m s].
  - destruct delta; [|simpl in L; lia]; exists [c]; auto.
  - destruct delta as [|d delta]; [simpl in L; lia|].
    destruct (IH delta c ltac:(congruence) ltac:(simpl in *; lia)) as (sigma & M & E & F).
    destruct sigma as [|b sigma]; [discriminate|].
    exists ((d + m * b) :: b :: sigma); repeat split; [simpl in *; lia| |exact F].
    change (boundaries (n :: m :: s) ((d + m * b) :: b :: sigma))
      with ((size (m :: s), d + m * b - m * b) :: boundaries (m :: s) (b :: sigma)).
    cbn [map snd]; rewrite E; f_equal; lia.
Qed.

(** * Bends *)

Lemma slopes_cons g l :
  slopes g (S l) = (g (1 :: zeros l) - g (0 :: zeros l)) :: slopes (fun i => g (0 :: i)) l.
Proof.
  unfold slopes; cbn [units map]; f_equal.
  generalize (units l); intros u; induction u as [|e u IH]; simpl; [reflexivity|rewrite IH; reflexivity].
Qed.

(** Only the values inside the box count, though the slopes of an axis of size 1 are read outside of it. *)
Lemma bend_ext s g h : (forall i, inbox s i -> g i = h i) ->
  forall i, inbox s i -> bend g (length s) i = bend h (length s) i.
Proof.
  intros E i B; unfold bend; rewrite (E i B), (E _ (zeros_inbox s i B)); f_equal.
  revert g h E i B; induction s as [|n s IH]; destruct i as [|x i]; intros B; try (simpl in B; tauto).
  destruct B as [X B]; cbn [length]; rewrite !slopes_cons; cbn [dot].
  rewrite (IH (fun i => g (0 :: i)) (fun i => h (0 :: i))); auto.
  - destruct (Z.eq_dec x 0) as [->|N]; [lia|]; pose proof (zeros_inbox s i B).
    rewrite (E (1 :: zeros (length s))), (E (0 :: zeros (length s))) by (split; auto; lia); reflexivity.
  - intros k K; apply E; split; auto; lia.
Qed.

Lemma slopes_linear c g h : forall l, forall i,
  dot (slopes (fun i => c * g i + h i) l) i = c * dot (slopes g l) i + dot (slopes h l) i.
Proof.
  intros l; revert g h; induction l as [|l IH]; intros g h i; [simpl; ring|].
  rewrite !slopes_cons; destruct i as [|x i]; cbn [dot]; [ring|].
  rewrite (IH (fun i => g (0 :: i)) (fun i => h (0 :: i)) i); ring.
Qed.

Lemma bend_linear c g h l i : bend (fun i => c * g i + h i) l i = c * bend g l i + bend h l i.
Proof. unfold bend; rewrite slopes_linear; ring. Qed.

Lemma bend_zero l i : bend (fun _ => 0) l i = 0.
Proof.
  unfold bend; replace (dot (slopes (fun _ => 0) l) i) with 0; [lia|].
  revert i; induction l as [|l IH]; intros i; [reflexivity|].
  rewrite slopes_cons; destruct i as [|x i]; cbn [dot]; [reflexivity|rewrite <- IH; ring].
Qed.

Lemma bend_total (h : Z -> list Z -> Z) b l i :
  bend (fun i => total (fun P => h P i) b) l i = total (fun P => bend (h P) l i) b.
Proof.
  induction b as [|[P d] b IH]; cbn [total]; [apply bend_zero|].
  rewrite <- IH; apply bend_linear.
Qed.

(** A function is affine exactly if it bends nowhere. *)
Theorem affine_iff_no_bend f s' : affine f s' <-> forall i, inbox s' i -> bend f (length s') i = 0.
Proof.
  split.
  - intros A i B; unfold bend; rewrite (affine_by_slopes f s' A i B); lia.
  - intros H; exists (f (zeros (length s'))), (slopes f (length s')); split; [apply slopes_length|].
    intros i B; specialize (H i B); unfold bend in H; lia.
Qed.

(** * The exact condition *)

(** How far the composition bends: σ_k times the bend of the addresses, and δ_l times the carries of each boundary. The
    addresses may be any function that stays inside the outer tensor, as those of a chain of views. *)
Theorem bend_of_composition s sigma s' x :
  positive s -> length sigma = length s -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  forall i, inbox s' i ->
    bend (fun i => address s sigma (x i)) (length s') i
    = last sigma 0 * bend x (length s') i + total (carries x (length s') i) (boundaries s sigma).
Proof.
  intros P L X i B.
  rewrite (bend_ext s' _ (fun i => last sigma 0 * x i + total (fun P => x i / P) (boundaries s sigma))); auto.
  - rewrite bend_linear, (bend_total (fun P i => x i / P)); reflexivity.
  - intros k K; apply identity; auto.
Qed.

(** The exact condition. Two views merge if and only if Σ δ_l·C_l(i) = 0 for every index i, where C_l(i) says how often
    boundary l overflowed on the way to i. *)
Theorem exact_condition s sigma s' x :
  positive s -> length sigma = length s -> affine x s' -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  affine (fun i => address s sigma (x i)) s' <->
  forall i, inbox s' i -> total (carries x (length s') i) (boundaries s sigma) = 0.
Proof.
  intros P L A X; rewrite affine_iff_no_bend; split; intros H i B; specialize (H i B);
    rewrite (bend_of_composition s sigma s' x) in * by auto;
    rewrite (proj1 (affine_iff_no_bend x s') A i B) in *; lia.
Qed.

(** "Merging tensor views", sections 4.1 and 5: what one step demands, beyond the first step along its axis, depends on
    how often each boundary overflows in both, and on nothing else. *)
Theorem step_equation s sigma s' x i j :
  positive s -> length sigma = length s -> affine x s' -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  inbox s' i -> (j < length s')%nat -> inbox s' (bump j i) ->
  let e := unit (length s') j in
  let o := zeros (length s') in
  let f i := address s sigma (x i) in
  (f (bump j i) - f i) - (f e - f o)
  = total (fun P => (x (bump j i) / P - x i / P) - (x e / P - x o / P)) (boundaries s sigma).
Proof.
  intros P L A X B J B' e o f; pose proof (unit_inbox s' i j B J B') as U; pose proof (zeros_inbox s' i B) as O.
  unfold f; rewrite !identity; auto; try (apply X; auto).
  pose proof (proj1 (affine_iff_equal_steps x s') A i j B J B') as E; fold e o in E.
  replace (x (bump j i)) with (x i + (x e - x o)) by lia.
  clear - E; induction (boundaries s sigma) as [|[Q d] b IH]; cbn [total]; lia.
Qed.

(** * Which boundaries overflow *)

(** One step of t overflows a boundary P once or not at all, beyond the whole blocks of t. *)
Theorem step_carries_at_most_once x t P : 1 <= P ->
  (x + t) / P - x / P - t / P = if P - t mod P <=? x mod P then 1 else 0.
Proof.
  intros Q; pose proof (Z.div_mod x P); pose proof (Z.div_mod t P);
    pose proof (Z.mod_pos_bound x P); pose proof (Z.mod_pos_bound t P).
  destruct (Z.leb_spec (P - t mod P) (x mod P)).
  - rewrite <- (Z.div_unique_pos (x + t) P (x / P + t / P + 1) (x mod P + t mod P - P)); lia.
  - rewrite <- (Z.div_unique_pos (x + t) P (x / P + t / P) (x mod P + t mod P)); lia.
Qed.

(** What is left of each stride in blocks of P, from an offset o on. *)
Definition rests (o : Z) (t : list Z) (P : Z) : list Z := map (fun a => (o + a) mod P - o mod P) t.

Lemma slopes_pointwise g h l : (forall i, g i = h i) -> slopes g l = slopes h l.
Proof. intros E; unfold slopes; apply map_ext; intros e; rewrite !E; reflexivity. Qed.

Lemma slopes_of_quotient o t P :
  slopes (fun i => (o + dot t i) / P) (length t) = map (fun a => (o + a) / P - o / P) t.
Proof.
  induction t as [|a t IH]; [reflexivity|]; cbn [length map]; rewrite slopes_cons; f_equal.
  - cbn [dot]; rewrite !dot_zeros; f_equal; f_equal; lia.
  - rewrite <- IH; apply slopes_pointwise; intros i; cbn [dot]; f_equal; lia.
Qed.

(** A boundary overflows as often as what is left of the strides says. *)
Theorem carries_by_rests o t P i : 1 <= P ->
  carries (fun i => o + dot t i) (length t) i P = (o mod P + dot (rests o t P) i) / P.
Proof.
  intros Q; unfold carries, bend; rewrite slopes_of_quotient, dot_zeros, Z.add_0_r.
  assert (E : forall i, dot t i = P * dot (map (fun a => (o + a) / P - o / P) t) i + dot (rests o t P) i).
  { clear i; unfold rests; induction t as [|a t IH]; intros [|x i]; cbn [map dot]; try ring.
    rewrite (IH i); pose proof (Z.div_mod (o + a) P); pose proof (Z.div_mod o P); nia. }
  rewrite (E i) at 1; set (w := dot (map _ t) i); set (z := dot (rests o t P) i).
  replace (o + (P * w + z)) with ((o mod P + z) + (o / P + w) * P) by (pose proof (Z.div_mod o P); lia).
  rewrite Z.div_add; lia.
Qed.

(** The least and the greatest of Σ r_j·i_j on the box of s. *)
Fixpoint lowest (s r : list Z) : Z :=
  match s, r with
  | n :: s', a :: r' => (n - 1) * Z.min 0 a + lowest s' r'
  | _, _ => 0
  end.
Fixpoint highest (s r : list Z) : Z :=
  match s, r with
  | n :: s', a :: r' => (n - 1) * Z.max 0 a + highest s' r'
  | _, _ => 0
  end.

Lemma between_corners s : forall r i, inbox s i -> lowest s r <= dot r i <= highest s r.
Proof.
  induction s as [|n s IH]; destruct r as [|a r]; destruct i as [|x i]; simpl; intros B; try tauto; try lia.
  destruct B as [X B]; specialize (IH r i B); nia.
Qed.

Lemma corners s : forall r, positive s -> length r = length s ->
  (exists i, inbox s i /\ dot r i = lowest s r) /\ (exists i, inbox s i /\ dot r i = highest s r).
Proof.
  induction s as [|n s IH]; destruct r as [|a r]; intros P L; try discriminate.
  - split; exists []; simpl; auto.
  - destruct (positive_cons _ _ P) as [N P'].
    destruct (IH r P' ltac:(simpl in L; lia)) as [(i & B & E) (j & C & F)].
    split; destruct (Z.lt_ge_cases a 0) as [Neg|Pos].
    + exists ((n - 1) :: i); cbn [inbox dot lowest]; rewrite E, Z.min_r by lia; split; [split; [lia|auto]|ring].
    + exists (0 :: i); cbn [inbox dot lowest]; rewrite E, Z.min_l by lia; split; [split; [lia|auto]|ring].
    + exists (0 :: j); cbn [inbox dot highest]; rewrite F, Z.max_l by lia; split; [split; [lia|auto]|ring].
    + exists ((n - 1) :: j); cbn [inbox dot highest]; rewrite F, Z.max_r by lia; split; [split; [lia|auto]|ring].
Qed.

(** Whether a view stays in a range is decided at two corners. In bounds is the case c = o, lo = 0, hi = size s. *)
Theorem range_at_two_corners s r c lo hi : positive s -> length r = length s ->
  (forall i, inbox s i -> lo <= c + dot r i < hi) <-> lo <= c + lowest s r /\ c + highest s r < hi.
Proof.
  intros P L; destruct (corners s r P L) as [(i & B & E) (j & C & F)]; split.
  - intros H; pose proof (H i B); pose proof (H j C); lia.
  - intros H k K; pose proof (between_corners s r k K); lia.
Qed.

(** A boundary never overflows exactly if what is left of the strides stays in one block at two corners. *)
Theorem never_overflows s' t o P : positive s' -> length t = length s' -> 1 <= P ->
  (forall i, inbox s' i -> carries (fun i => o + dot t i) (length s') i P = 0) <->
  0 <= o mod P + lowest s' (rests o t P) /\ o mod P + highest s' (rests o t P) < P.
Proof.
  intros Q L N; rewrite <- range_at_two_corners; auto; [|unfold rests; rewrite length_of_map; auto].
  split; intros H i B; specialize (H i B).
  - rewrite <- L, carries_by_rests in H by auto; apply Z.div_small_iff in H; lia.
  - rewrite <- L, carries_by_rests by auto; apply Z.div_small; lia.
Qed.

Lemma highest_of_remainders P : 1 <= P -> forall s' t,
  lowest s' (rests 0 t P) = 0 /\
  highest s' (rests 0 t P) = dot (map (fun n => n - 1) s') (map (fun a => a mod P) t).
Proof.
  intros N; induction s' as [|n s' IH]; destruct t as [|a t]; try (split; reflexivity).
  unfold rests; cbn [map lowest highest dot]; fold (rests 0 t P).
  destruct (IH t) as [-> ->]; rewrite Z.add_0_l, Z.mod_0_l by lia; pose proof (Z.mod_pos_bound a P).
  rewrite Z.sub_0_r, Z.min_l, Z.max_r by lia; split; ring.
Qed.

(** For a view that starts at 0: exactly if Σ (s'_j − 1)·(t_j mod P) < P. *)
Theorem never_overflows_from_0 s' t P : positive s' -> length t = length s' -> 1 <= P ->
  (forall i, inbox s' i -> carries (dot t) (length s') i P = 0) <->
  dot (map (fun n => n - 1) s') (map (fun a => a mod P) t) < P.
Proof.
  intros Q L N; pose proof (never_overflows s' t 0 P Q L N) as H.
  destruct (highest_of_remainders P N s' t) as [E F]; rewrite E, F, Z.mod_0_l in H by lia.
  change (fun i => 0 + dot t i) with (dot t) in H; rewrite H; lia.
Qed.

(** * The carry criterion *)

(** Whether a boundary can overflow, decided by the two corners. *)
Definition can_overflow (s' t : list Z) (o P : Z) : bool :=
  negb ((0 <=? o mod P + lowest s' (rests o t P)) && (o mod P + highest s' (rests o t P) <? P)).

(** "Merging tensor views", section 5: a merge only needs the boundaries that overflow. *)
Theorem carry_criterion s sigma s' t o :
  positive s -> length sigma = length s -> positive s' -> length t = length s' ->
  (forall i, inbox s' i -> 0 <= o + dot t i < size s) ->
  affine (fun i => address s sigma (o + dot t i)) s' <->
  forall i, inbox s' i ->
    total (carries (fun i => o + dot t i) (length s') i)
      (filter (fun b => can_overflow s' t o (fst b)) (boundaries s sigma)) = 0.
Proof.
  intros P L P' L' X.
  assert (A : affine (fun i => o + dot t i) s') by (exists o, t; auto).
  rewrite (exact_condition s sigma s' (fun i => o + dot t i) P L A X).
  assert (E : forall i, inbox s' i ->
    total (carries (fun i => o + dot t i) (length s') i) (boundaries s sigma)
    = total (carries (fun i => o + dot t i) (length s') i)
        (filter (fun b => can_overflow s' t o (fst b)) (boundaries s sigma))).
  { intros i B; pose proof (boundaries_positive s sigma) as Q.
    induction (boundaries s sigma) as [|[R d] b IH]; [reflexivity|]; cbn [filter fst].
    destruct (can_overflow s' t o R) eqn:C; cbn [total]; rewrite IH; auto;
      try (intros R' _ I; apply Q; simpl; auto).
    unfold can_overflow in C; rewrite negb_false_iff, andb_true_iff, Z.leb_le, Z.ltb_lt in C.
    rewrite (proj2 (never_overflows s' t o R P' L' (Q R P (or_introl eq_refl))) C i B); ring. }
  split; intros H i B; specialize (H i B); rewrite (E i B) in *; auto.
Qed.

(** So views merge if each boundary is contiguous, or never overflows. *)
Theorem merges_if_nothing_overflows s sigma s' x :
  positive s -> length sigma = length s -> affine x s' -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  (forall P d, In (P, d) (boundaries s sigma) -> d = 0 \/ forall i, inbox s' i -> carries x (length s') i P = 0) ->
  affine (fun i => address s sigma (x i)) s'.
Proof.
  intros P L A X H; apply exact_condition; auto; intros i B.
  apply total_zero; intros Q d I; destruct (H Q d I); auto.
Qed.

(** If a single boundary that is not contiguous overflows, they do not merge: nothing is there to cancel it. *)
Theorem single_overflow_breaks s sigma s' x b P d c :
  positive s -> length sigma = length s -> affine x s' -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  boundaries s sigma = b ++ (P, d) :: c -> d <> 0 -> (exists i, inbox s' i /\ carries x (length s') i P <> 0) ->
  (forall Q e, In (Q, e) (b ++ c) -> e = 0 \/ forall i, inbox s' i -> carries x (length s') i Q = 0) ->
  ~ affine (fun i => address s sigma (x i)) s'.
Proof.
  intros Ps L A X E D (i & B & C) H; rewrite exact_condition by auto; intros T; specialize (T i B).
  rewrite E, total_app in T; cbn [total] in T.
  rewrite (total_zero _ b), (total_zero _ c) in T by (intros Q e I; destruct (H Q e); auto; apply in_or_app; auto); nia.
Qed.

(** Where each boundary has an index at which it overflows, and no boundary of a larger place value does, all defects
    have to be 0: the outer view has to be contiguous. *)
Theorem independent_carries s sigma s' x :
  positive s -> length sigma = length s -> affine x s' -> (forall i, inbox s' i -> 0 <= x i < size s) ->
  (forall b P d c, boundaries s sigma = b ++ (P, d) :: c ->
     exists i, inbox s' i /\ carries x (length s') i P <> 0 /\
       forall Q, In Q (map fst b) -> carries x (length s') i Q = 0) ->
  affine (fun i => address s sigma (x i)) s' <-> forall P d, In (P, d) (boundaries s sigma) -> d = 0.
Proof.
  intros P L A X H; rewrite exact_condition by auto; split.
  - intros T; assert (G : forall c b, boundaries s sigma = b ++ c -> forall Q d, In (Q, d) c -> d = 0).
    { induction c as [|[R e] c IH]; intros b E Q d I; [destruct I|].
      assert (Rest : forall Q d, In (Q, d) c -> d = 0) by (apply (IH (b ++ [(R, e)])); rewrite <- app_assoc; auto).
      destruct I as [I|I]; [injection I as <- <-|apply (Rest Q d I)].
      destruct (H b R e c E) as (i & B & C & Z0); specialize (T i B).
      rewrite E, total_app in T; cbn [total] in T.
      rewrite (total_zero _ b), (total_zero _ c) in T; [nia| |].
      - intros Q' d' I; left; apply (Rest Q' d' I).
      - intros Q' d' I; right; apply Z0; apply (in_map fst) in I; auto. }
    intros Q d; apply (G (boundaries s sigma) []); reflexivity.
  - intros D i B; apply total_zero; intros Q d I; left; apply (D Q d I).
Qed.
