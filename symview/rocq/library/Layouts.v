(** Layouts: of numbers by computation at every index.  No axioms. *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Definitions Steps.
Import ListNotations.
Open Scope Z_scope.

Lemma sv_same_values (n : Z) (f g : Z -> Z) :
  forallb (fun i => f i =? g i) (sv_range 0 n) = true -> forall i, 0 <= i < n -> f i = g i.
Proof. intros H i B; apply Z.eqb_eq, (sv_everywhere _ _ _ H i B). Qed.

Lemma sv_rising (n : Z) (f : Z -> Z) :
  forallb (fun i => f i <? f (i + 1)) (sv_range 0 n) = true -> forall i, 0 <= i < n -> f i < f (i + 1).
Proof. intros H i B; apply Z.ltb_lt, (sv_everywhere _ _ _ H i B). Qed.

(** Each number below n is a value of f, at the index that g gives. *)
Lemma sv_reached (n m : Z) (f g : Z -> Z) :
  forallb (fun x => (0 <=? g x) && (g x <? m) && (f (g x) =? x)) (sv_range 0 n) = true ->
  forall x, 0 <= x < n -> exists i, 0 <= i < m /\ f i = x.
Proof.
  intros H x B; pose proof (sv_everywhere _ _ _ H x B) as T; cbv beta in T.
  apply andb_true_iff in T; destruct T as [T E]; apply andb_true_iff in T; destruct T as [L U].
  exists (g x); split; [lia|apply Z.eqb_eq, E].
Qed.

(** The digits of a number, largest steps first: each adds to one of two sums. *)
Fixpoint sv_parts (steps : list (Z * Z * Z)) (x : Z) : Z * Z :=
  match steps with
  | [] => (0, 0)
  | (d, v, p) :: rest => let (a, b) := sv_parts rest (x mod d) in (a + x / d * v, b + x / d * p)
  end.
Lemma sv_sums_apart (steps : list (Z * Z * Z)) (n m : Z) (f g h : Z -> Z) :
  forallb (fun i => forallb (fun j => let (a, b) := sv_parts steps (f i + g j) in (a =? f i) && (b =? h j)) (sv_range 0 m))
    (sv_range 0 n) = true ->
  forall i j k l, 0 <= i < n -> 0 <= j < m -> 0 <= k < n -> 0 <= l < m -> f i + g j = f k + g l -> f i = f k /\ h j = h l.
Proof.
  intros H i j k l I J K L E.
  pose proof (sv_everywhere _ _ _ (sv_everywhere _ _ _ H i I) j J) as S.
  pose proof (sv_everywhere _ _ _ (sv_everywhere _ _ _ H k K) l L) as T.
  cbv beta in S, T; rewrite E in S; destruct (sv_parts steps (f k + g l)) as [a b].
  rewrite andb_true_iff, !Z.eqb_eq in S, T; lia.
Qed.

(** A layout of a size equals one whose mode sizes are primes, in one of few orders. *)
Fixpoint sv_sum (s t : list Z) (i : Z) : Z :=
  match s, t with n :: s', d :: t' => (i mod n) * d + sv_sum s' t' (i / n) | _, _ => 0 end.
Definition sv_prime (p : Z) : bool := forallb (fun q => negb (p mod q =? 0)) (sv_range 2 p).
Fixpoint sv_splits (k : nat) (n : Z) : list (list Z) :=
  match k with
  | O => []
  | S k' => if n =? 1 then [[]] else
      flat_map (fun p => if (n mod p =? 0) && sv_prime p then map (cons p) (sv_splits k' (n / p)) else []) (sv_range 2 (n + 1))
  end.

Lemma sv_size_positive L : layout_positive L -> 1 <= layout_size L.
Proof.
  induction 1 as [|[n d] L N P IH]; [unfold layout_size; cbn; lia|].
  change (layout_size ((n, d) :: L)) with (n * layout_size L); cbn [fst] in N; nia.
Qed.
Lemma sv_value_sum L : layout_positive L -> forall i, 0 <= i < layout_size L ->
  layout_at L i = sv_sum (map fst L) (map snd L) i.
Proof.
  induction 1 as [|[n d] L N P IH]; intros i I; [reflexivity|]; cbn [fst] in N.
  change (layout_size ((n, d) :: L)) with (n * layout_size L) in I.
  cbn [map fst snd sv_sum]; destruct L as [|m L].
  - change (layout_size []) with 1 in I; cbn; rewrite Z.mod_small; lia.
  - change (layout_at ((n, d) :: m :: L) i) with (i mod n * d + layout_at (m :: L) (i / n)).
    rewrite IH; [reflexivity|]; split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.
Lemma sv_factor k : forall n, 2 <= n <= Z.of_nat k -> exists p, 2 <= p <= n /\ n mod p = 0 /\ sv_prime p = true.
Proof.
  induction k as [|k IH]; intros n N; [lia|].
  destruct (sv_prime n) eqn:E; [exists n; rewrite Z.mod_same by lia; repeat split; auto; lia|].
  assert (exists q, 2 <= q < n /\ n mod q = 0) as (q & Q & D).
  { unfold sv_prime in E; destruct (existsb (fun q => n mod q =? 0) (sv_range 2 n)) eqn:F.
    - apply existsb_exists in F; destruct F as (q & I & D); apply sv_in in I; exists q; split; lia.
    - exfalso; enough (forallb (fun q => negb (n mod q =? 0)) (sv_range 2 n) = true) by congruence.
      apply forallb_forall; intros q I; destruct (n mod q =? 0) eqn:D; auto.
      enough (existsb (fun q => n mod q =? 0) (sv_range 2 n) = true) by congruence; apply existsb_exists; eauto. }
  destruct (IH q ltac:(lia)) as (p & P & D' & R); exists p; repeat split; auto; [lia|lia|].
  apply Z.mod_divide in D, D'; try lia; apply Z.mod_divide; [lia|]; eapply Z.divide_trans; eauto.
Qed.
Definition sv_prod (s : list Z) : Z := fold_right Z.mul 1 s.
Lemma sv_split k : forall L n, layout_positive L -> layout_size L = n -> n <= Z.of_nat k ->
  exists s t, In s (sv_splits k n) /\ Forall (Z.le 1) s /\ sv_prod s = n /\ length t = length s /\
    forall i, sv_sum (map fst L) (map snd L) i = sv_sum s t i.
Proof.
  induction k as [|k IH]; intros L n P S K; [pose proof (sv_size_positive L P); lia|].
  induction P as [|[m d] L M P IHL] in n, S, K |- *.
  - change (layout_size []) with 1 in S; subst n; exists [], []; repeat split; auto; left; reflexivity.
  - change (layout_size ((m, d) :: L)) with (m * layout_size L) in S; cbn [fst] in M.
    pose proof (sv_size_positive L P) as L1; destruct (Z.eq_dec m 1) as [->|N].
    { destruct (IHL n ltac:(lia) K) as (s & t & I & F & E & T & V); exists s, t; repeat split; auto.
      intros i; cbn [map fst snd sv_sum]; rewrite Z.mod_1_r, Z.div_1_r, V by auto; lia. }
    destruct (sv_factor (Z.to_nat m) m ltac:(lia)) as (p & Q & D & R).
    apply Z.mod_divide in D; [|lia]; destruct D as [q E]; subst m; assert (1 <= q) by nia.
    assert (NP : n / p = q * layout_size L).
    { subst n; replace (q * p * layout_size L) with (q * layout_size L * p) by ring; apply Z.div_mul; lia. }
    destruct (IH ((q, p * d) :: L) (n / p)) as (s & t & I & F & E & T & V);
      [constructor; [cbn; lia|exact P]|rewrite NP; reflexivity|nia|].
    exists (p :: s), (d :: t); split; [|split; [constructor; [lia|exact F]|split; [|split; [cbn; congruence|]]]].
    + cbn [sv_splits]; destruct (Z.eqb_spec n 1); [nia|]; apply in_flat_map; exists p; split.
      * apply sv_in; nia.
      * assert (n mod p = 0) as ->.
        { subst n; replace (q * p * layout_size L) with (q * layout_size L * p) by ring; apply Z.mod_mul; lia. }
        rewrite R; cbn; apply in_map; exact I.
    + change (sv_prod (p :: s)) with (p * sv_prod s); rewrite E, NP; subst n; ring.
    + intros i; cbn [map fst snd sv_sum]; rewrite <- (V (i / p)); cbn [map fst snd sv_sum].
      rewrite (Z.mul_comm q p), Z.rem_mul_r, Z.div_div by lia; ring.
Qed.

(** Each mode of a layout is split by itself. *)
Fixpoint sv_ways (sizes : list Z) : list (list Z) :=
  match sizes with [] => [[]] | n :: more => flat_map (fun s => map (app s) (sv_ways more)) (sv_splits (Z.to_nat n) n) end.
Lemma sv_sum_app s : forall s' t t' i, Forall (Z.le 1) s -> length t = length s ->
  sv_sum (s ++ s') (t ++ t') i = sv_sum s t i + sv_sum s' t' (i / sv_prod s).
Proof.
  induction s as [|n s IH]; intros s' [|d t] t' i F T; try discriminate.
  - cbn; rewrite Z.div_1_r; reflexivity.
  - inversion F; subst; cbn [app sv_sum]; rewrite IH by (auto; cbn in T; congruence).
    change (sv_prod (n :: s)) with (n * sv_prod s).
    assert (1 <= sv_prod s) by (clear - H2; induction H2; [cbn; lia|cbn [sv_prod fold_right]; fold (sv_prod l); nia]).
    rewrite Z.div_div by lia; ring.
Qed.
Lemma sv_size_app L K : layout_size (L ++ K) = layout_size L * layout_size K.
Proof.
  induction L as [|[n d] L IH]; [unfold layout_size; cbn [app fold_right]; ring|].
  change (layout_size (((n, d) :: L) ++ K)) with (n * layout_size (L ++ K)); rewrite IH.
  change (layout_size ((n, d) :: L)) with (n * layout_size L); ring.
Qed.
Lemma sv_prod_sizes L : sv_prod (map fst L) = layout_size L.
Proof.
  induction L as [|[n d] L IH]; [reflexivity|]; change (n * sv_prod (map fst L) = n * layout_size L); congruence.
Qed.
Lemma sv_split_all R : Forall layout_positive R -> exists s t, In s (sv_ways (map layout_size R)) /\
  length t = length s /\ forall i, sv_sum (map fst (concat R)) (map snd (concat R)) i = sv_sum s t i.
Proof.
  induction 1 as [|L R P F IH]; [exists [], []; repeat split; auto; left; reflexivity|].
  destruct IH as (s' & t' & I' & T' & V'); pose proof (sv_size_positive L P) as L1.
  destruct (sv_split (Z.to_nat (layout_size L)) L (layout_size L) P eq_refl ltac:(lia)) as (s & t & I & G & E & T & V).
  exists (s ++ s'), (t ++ t'); split; [|split].
  - cbn [map sv_ways]; apply in_flat_map; exists s; split; [exact I|apply in_map; exact I'].
  - rewrite !app_length; congruence.
  - intros i; cbn [concat]; rewrite !map_app, sv_sum_app, sv_sum_app, V, E, sv_prod_sizes, V' by
      (rewrite ?map_length; auto; apply Forall_map; exact P); reflexivity.
Qed.
(** A composition has the values of one of the splits. *)
Lemma sv_composed A B R : layout_composes A B R -> exists s t, In s (sv_ways (map fst B)) /\ length t = length s /\
  forall i, 0 <= i < layout_size B -> 0 <= layout_at B i /\ layout_at A (layout_at B i) = sv_sum s t i.
Proof.
  intros (S & P & V); destruct (sv_split_all R P) as (s & t & I & T & W); exists s, t.
  split; [congruence|split; [exact T|]]; intros i B'; destruct (V i B') as [O E]; split; [exact O|].
  rewrite <- E, <- W; apply sv_value_sum.
  - clear - P; induction P; [constructor|apply Forall_app; auto].
  - replace (layout_size (concat R)) with (layout_size B); [exact B'|].
    rewrite <- sv_prod_sizes, <- S; clear; induction R as [|L R IH]; [reflexivity|].
    cbn [map concat]; rewrite sv_size_app, <- IH; reflexivity.
Qed.
Lemma sv_cons {X} (x y : X) l k : x = y -> l = k -> x :: l = y :: k.
Proof. congruence. Qed.

(** Layouts at an index, written out; quotients of numbers are computed. *)
Ltac sv_written := cbn [layout_at layout_size fold_right fst snd app concat] in *;
  rewrite ?Z.mul_1_r, ?Z.mul_0_r, ?Z.mul_1_l, ?Z.mul_0_l, ?Z.add_0_r, ?Z.add_0_l in *.
Ltac sv_number t := lazymatch t with Z0 => idtac | Zpos ?p => sv_number_pos p | Zneg ?p => sv_number_pos p end
with sv_number_pos p := lazymatch p with xH => idtac | xO ?q => sv_number_pos q | xI ?q => sv_number_pos q end.
Ltac sv_values h := cbn [layout_at app sv_sum] in h;
  repeat match type of h with
  | context [?a * ?b] => sv_number a; sv_number b; let v := eval vm_compute in (a * b) in change (a * b) with v in h
  | context [?a + ?b] => sv_number a; sv_number b; let v := eval vm_compute in (a + b) in change (a + b) with v in h
  | context [?a mod ?b] => sv_number a; sv_number b; let v := eval vm_compute in (a mod b) in change (a mod b) with v in h
  | context [?a / ?b] => sv_number a; sv_number b; let v := eval vm_compute in (a / b) in change (a / b) with v in h
  end.
