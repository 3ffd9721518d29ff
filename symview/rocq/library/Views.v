(** Views of numbers, by computation at every index.  No axioms. *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Definitions Steps.
Import ListNotations.
Open Scope Z_scope.

Fixpoint sv_indices (s : list Z) : list (list Z) :=
  match s with [] => [[]] | n :: s' => flat_map (fun x => map (cons x) (sv_indices s')) (sv_range 0 n) end.
Lemma sv_in_indices s : forall i, in_box s i -> In i (sv_indices s).
Proof.
  induction s; destruct i; simpl; intros H; try tauto.
  apply in_flat_map; exists z; split; [apply sv_in; lia|apply in_map, IHs; tauto].
Qed.
Definition sv_same_place (p q : place) : bool :=
  match p, q with Address x, Address y => x =? y | Hidden, Hidden => true | Outside, Outside => true | _, _ => false end.
Lemma sv_same_eq p q : sv_same_place p q = true -> p = q.
Proof. destruct p, q; simpl; intros; try discriminate; auto; f_equal; apply Z.eqb_eq; auto. Qed.
Lemma sv_looks_same s vs ws :
  forallb (fun i => sv_same_place (look vs i) (look ws i) && negb (sv_same_place (look vs i) Outside)) (sv_indices s) = true ->
  forall i, in_box s i -> look vs i = look ws i /\ look vs i <> Outside.
Proof.
  rewrite forallb_forall; intros H i B; specialize (H i (sv_in_indices s i B)).
  apply andb_true_iff in H; destruct H as [H N]; split; [apply sv_same_eq, H|].
  intros E; rewrite E in N; discriminate.
Qed.

(** Views of names: where an index leads, as plain facts. [O]: out of bounds; [V]: no mask hides it; [A]: its address. *)
Definition sv_at (p : place) (O V : Prop) (A : Z) : Prop :=
  (O -> p = Outside) /\ (~ O -> V -> p = Address A) /\ (~ O -> ~ V -> p = Hidden) /\ (V \/ ~ V).
Lemma sv_at_first s t o m i V A :
  dot t i + o = A -> (in_mask m i = true <-> V) -> sv_at (look [(s, t, o, m)] i) False V A.
Proof.
  intros <- E; unfold sv_at; cbn [look]; destruct (in_mask m i).
  - assert (v : V) by (apply E; reflexivity); repeat split; intros; try tauto; reflexivity.
  - assert (v : ~ V) by (intros v; apply E in v; discriminate); repeat split; intros; try tauto; reflexivity.
Qed.
Lemma sv_at_before s t o m i s' t' o' m' rest x ds n V O' V' A :
  dot t i + o = x -> (in_mask m i = true <-> V) -> size_of s' = n -> (0 <= x < n -> digits s' x = ds) ->
  sv_at (look ((s', t', o', m') :: rest) ds) O' V' A ->
  sv_at (look ((s, t, o, m) :: (s', t', o', m') :: rest) i)
        ((V /\ ~ (0 <= x < n)) \/ (V /\ O')) (V /\ V') A.
Proof.
  intros <- E <- D (P & Q & R & S); unfold sv_at; set (x := dot t i + o) in *.
  set (there := look ((s', t', o', m') :: rest)) in *.
  change (look ((s, t, o, m) :: (s', t', o', m') :: rest) i) with
    (if in_mask m i then if ((0 <=? x) && (x <? size_of s'))%bool then there (digits s' x) else Outside else Hidden).
  clearbody x there.
  destruct (in_mask m i).
  - assert (v : V) by (apply E; reflexivity).
    destruct ((0 <=? x) && (x <? size_of s'))%bool eqn:I.
    + assert (I' : 0 <= x < size_of s') by lia; rewrite (D I'); repeat split; intros; try tauto.
    + assert (I' : ~ (0 <= x < size_of s')) by lia; repeat split; intros; try tauto; try reflexivity.
  - assert (v : ~ V) by (intros v; apply E in v; discriminate); repeat split; intros; try tauto; try reflexivity.
Qed.
Lemma sv_at_as p O V A O' V' A' : sv_at p O V A -> (O <-> O') -> (V <-> V') -> A = A' -> sv_at p O' V' A'.
Proof. unfold sv_at; intros H E F <-; tauto. Qed.
(** Where a view leads, if nothing is out of bounds. *)
Lemma sv_shown p O V A (m : bool) B :
  sv_at p O V A -> ~ O -> (V <-> m = true) -> (V -> A = B) -> p = (if m then Address B else Hidden).
Proof.
  intros (P & Q & R & D) N E S; destruct m.
  - rewrite Q; [f_equal; apply S, E; reflexivity|exact N|apply E; reflexivity].
  - apply R; [exact N|intros v; apply E in v; discriminate].
Qed.
(** Digits, as quotients. *)
Lemma sv_cons {A} (a b : A) l k : a = b -> l = k -> a :: l = b :: k.
Proof. intros -> ->; reflexivity. Qed.
Lemma sv_digit x n P' P N q q' d :
  P' = P -> 0 < P -> 0 < n -> P * n = N -> x / P = q -> x / N = q' -> q - n * q' = d -> (x / P') mod n = d.
Proof. intros -> ? ? <- <- <- <-; rewrite <- Z.div_div by lia; rewrite Z.mod_eq by lia; reflexivity. Qed.
Lemma sv_first_digit x n P' P q : P' = P -> 0 < P -> 0 <= x < P * n -> x / P = q -> (x / P') mod n = q.
Proof.
  intros -> ? ? <-; apply Z.mod_small; split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.
Ltac sv_ring := cbn [dot size_of]; first [reflexivity | ring | lia].
Ltac sv_quotient := first [reflexivity | apply Z.div_1_r | apply Zdiv_0_l | ring | f_equal; ring].
Ltac sv_both := first [tauto | intuition lia].
Ltac sv_mask := cbn [in_mask]; rewrite ?andb_true_iff, ?Z.leb_le, ?Z.ltb_lt; sv_both.
Ltac sv_above := first [lia | sv_pos | nia].
Ltac sv_ifs := repeat match goal with
  | |- context [if ?b then _ else _] => let h := fresh in destruct b eqn:h
  | H : context [if ?b then _ else _] |- _ => let h := fresh in destruct b eqn:h
  end.
(** An index is in the box, by a stronger hypothesis. *)
Ltac sv_inside t :=
  try exact t; pose proof t; sv_parts; repeat split; first [assumption | clear; lia | lia | sv_ifs; lia].
Lemma sv_same k a b : k <> 0 -> k * (a - b) = 0 -> a = b.
Proof. intros N E; apply Z.mul_eq_0 in E; lia. Qed.
Lemma sv_step d a b : d = 0 \/ a = b -> d * a = d * b.
Proof. intros [->| ->]; reflexivity. Qed.

(** One view of numbers: it agrees with the chain at every index. *)
Lemma sv_all_shown s vs (f : list Z -> place) :
  forallb (fun i => sv_same_place (look vs i) (f i)) (sv_indices s) = true -> forall i, in_box s i -> look vs i = f i.
Proof. rewrite forallb_forall; intros H i B; apply sv_same_eq, H, sv_in_indices, B. Qed.
Ltac sv_numbers := first [lia | vm_compute; intuition congruence].

(** What one view implies at indices of a chain: nothing is out of bounds; an index between others that no mask hides is
    not hidden; addresses differ by the moves times the steps to the neighbours of the first index. *)
Lemma sv_one_inside c i O V A : one_view c -> sv_at (look c i) O V A -> in_box (shape_of c) i -> ~ O.
Proof.
  intros (t & o & m & _ & _ & H) (P & _) B Out; rewrite (H i B) in P; specialize (P Out); cbn [look] in P.
  destruct (in_mask m i); discriminate.
Qed.
Lemma sv_one_address c i O V A : one_view c -> sv_at (look c i) O V A -> in_box (shape_of c) i -> V -> look c i = Address A.
Proof. intros W S B v; apply S; [exact (sv_one_inside c i O V A W S B)|exact v]. Qed.
Definition sv_there (c : list view) (i : list Z) (A : Z) : Prop := in_box (shape_of c) i /\ look c i = Address A.
Lemma sv_is_there c i O V A : one_view c -> sv_at (look c i) O V A -> in_box (shape_of c) i -> V -> sv_there c i A.
Proof. intros W S B v; split; [exact B|exact (sv_one_address c i O V A W S B v)]. Qed.
Fixpoint sv_between (ends : list (list Z)) (i : list Z) : bool :=
  match i with
  | [] => true
  | x :: i' => (existsb (fun e => match e with a :: _ => a <=? x | [] => false end) ends &&
                existsb (fun e => match e with a :: _ => x <=? a | [] => false end) ends && sv_between (map (@tl Z) ends) i')%bool
  end.
Lemma sv_mask_between i : forall m ends, Forall (fun e => in_mask m e = true) ends -> sv_between ends i = true ->
  in_mask m i = true.
Proof.
  induction i as [|x i IH]; intros [|[a b] m] ends F B; try reflexivity; cbn [sv_between] in B.
  apply andb_true_iff in B; destruct B as [B R]; apply andb_true_iff in B; destruct B as [L U].
  rewrite existsb_exists in L, U; destruct L as (e & I & L), U as (f & J & U); rewrite Forall_forall in F.
  pose proof (F e I) as E; pose proof (F f J) as G; destruct e as [|y e], f as [|z f]; try discriminate.
  cbn [in_mask] in *; rewrite !andb_true_iff in *; split; [split; lia|].
  apply (IH m (map (@tl Z) ends)); [|exact R]; apply Forall_forall; intros e' K; apply in_map_iff in K.
  destruct K as (g & <- & K); specialize (F g K); destruct g; cbn in *; [destruct m as [|[? ?] ?]; reflexivity|].
  rewrite !andb_true_iff in F; apply F.
Qed.
Lemma sv_hole c ends i O V A : one_view c -> sv_at (look c i) O V A -> in_box (shape_of c) i ->
  Forall (fun e => exists x, sv_there c e x) ends -> sv_between ends i = true -> V.
Proof.
  intros (t & o & m & T & M & H) (P & Q & R & D) B F S; destruct D as [v|v]; [exact v|exfalso].
  assert (W : one_view c) by (exists t, o, m; auto).
  specialize (R (sv_one_inside c i O V A W (conj P (conj Q (conj R (or_intror v)))) B) v).
  rewrite (H i B) in R; cbn [look] in R; rewrite (sv_mask_between i m ends) in R; [discriminate| |exact S].
  revert F; apply Forall_impl; intros e (x & E & L); rewrite (H e E) in L; cbn [look] in L.
  destruct (in_mask m e); [reflexivity|discriminate].
Qed.
(** Along each axis, a move and the address one step from the first index, unless the move is 0. *)
Fixpoint sv_steps (c : list view) (low : list Z) (axis : nat) (moves : list (Z * Z)) : Prop :=
  match moves with
  | [] => True
  | (d, B) :: more => (d = 0 \/ sv_there c (further axis 1 low) B) /\ sv_steps c low (S axis) more
  end.
Fixpoint sv_sum (A : Z) (moves : list (Z * Z)) : Z :=
  match moves with [] => 0 | (d, B) :: more => d * (B - A) + sv_sum A more end.
Fixpoint sv_moves (low i : list Z) (moves : list (Z * Z)) : Prop :=
  match low, i, moves with
  | [], [], [] => True | l :: low', x :: i', (d, _) :: more => d = x - l /\ sv_moves low' i' more | _, _, _ => False end.
Lemma sv_further t : forall axis low, dot t (further axis 1 low) = dot t low + (if (axis <? length low)%nat then nth axis t 0 else 0).
Proof.
  induction t as [|a t IH]; intros axis low.
  - replace (nth axis [] 0) with 0 by (destruct axis; reflexivity); cbn [dot]; destruct (axis <? length low)%nat; reflexivity.
  - destruct low as [|x low]; [destruct axis; reflexivity|]; destruct axis as [|axis]; cbn [further dot nth length]; [cbn; lia|].
    rewrite IH; change (S axis <? S (length low))%nat with (axis <? length low)%nat; lia.
Qed.
Lemma sv_dot_moves c t o low A (there : forall i x, sv_there c i x -> x = dot t i + o) : A = dot t low + o ->
  forall moves axis before after i, (length before = axis)%nat -> low = before ++ after -> sv_moves after i moves ->
  sv_steps c low axis moves -> dot (skipn axis t) i = dot (skipn axis t) after + sv_sum A moves.
Proof.
  intros E; induction moves as [|[d B] moves IH]; intros axis before after i L W M S.
  - destruct after, i; try contradiction; cbn; destruct (skipn axis t); reflexivity.
  - destruct after as [|l after], i as [|x i]; try contradiction; cbn [sv_moves sv_steps sv_sum] in *.
    destruct M as [-> M], S as [F S].
    assert (N : skipn axis t = match skipn axis t with [] => [] | a :: _ => a :: skipn (Datatypes.S axis) t end).
    { clear; revert axis; induction t as [|a t IH]; intros [|axis]; cbn [skipn]; try reflexivity; apply IH. }
    assert (K : nth axis t 0 = match skipn axis t with [] => 0 | a :: _ => a end).
    { clear; revert axis; induction t as [|a t IH]; intros [|axis]; cbn [skipn nth]; try reflexivity; apply IH. }
    specialize (IH (Datatypes.S axis) (before ++ [l]) after i).
    rewrite app_length, Nat.add_1_r, <- app_assoc in IH; specialize (IH ltac:(lia) W M S).
    assert (G : (x - l) * (B - A) = (x - l) * nth axis t 0).
    { destruct F as [->|F]; [reflexivity|f_equal]; rewrite (there _ _ F), sv_further, E.
      replace (axis <? length low)%nat with true; [lia|symmetry; apply Nat.ltb_lt; subst low; rewrite app_length; cbn; lia]. }
    rewrite G, K; destruct (skipn axis t) as [|a t'] eqn:Here; [|apply (f_equal (@tl Z)) in N; cbn [tl] in N; cbn [dot]; rewrite N, IH; ring].
    destruct (skipn (Datatypes.S axis) t) eqn:Next; [cbn in *; lia|exfalso].
    assert (length (skipn (Datatypes.S axis) t) <= length (skipn axis t))%nat by (rewrite !skipn_length; lia).
    rewrite Here, Next in *; cbn in *; lia.
Qed.
Lemma sv_line c low i O V A moves (B : Z) R : one_view c -> sv_at (look c i) O V B -> in_box (shape_of c) i -> V ->
  sv_there c low A -> sv_steps c low 0 moves -> sv_moves low i moves -> R = A + sv_sum A moves -> R = B.
Proof.
  intros W S I v L T M ->; pose proof (sv_one_address c i O V B W S I v) as J; destruct W as (t & o & m & _ & _ & H).
  assert (there : forall j x, sv_there c j x -> x = dot t j + o).
  { intros j x [K E]; rewrite (H j K) in E; cbn [look] in E; destruct (in_mask m j); [injection E; auto|discriminate]. }
  pose proof (sv_dot_moves c t o low A there (there _ _ L) moves 0 [] low i eq_refl eq_refl M T) as D; cbn [skipn] in D.
  rewrite (there i B (conj I J)), D, (there low A L) at 1; pose proof (there low A L); lia.
Qed.
(** Side conditions: an index is in the box and not hidden, by a hypothesis; the moves and steps from the first index. *)
Ltac sv_at_index t := cbn [shape_of in_box]; sv_inside t.
Ltac sv_reached p t := refine (sv_is_there _ _ _ _ _ _ p _ _); [assumption|sv_at_index t|sv_at_index t].
Ltac sv_step_by p t :=
  first [ right; sv_reached p t | destruct t as [t|t]; [left; clear - t; lia|right; sv_reached p t] ].
Lemma sv_is_one_view c s t o m : leads_as c (s, t, o, m) ->
  length t = length (shape_of c) -> (m = [] \/ length m = length (shape_of c)) -> one_view c.
Proof. intros [E H] T M; exists t, o, m; repeat split; auto; cbn [shape_of] in E; rewrite E at 2; exact H. Qed.
Ltac sv_one_view H := eapply sv_is_one_view; [exact H|reflexivity|first [left; reflexivity|right; reflexivity]].

(** Views of numbers: where both lead, at each index; the view through the first indices leads there, too. *)
Lemma sv_leads c v : forallb (fun i => sv_same_place (look c i) (look [v] i)) (sv_indices (shape_of c)) = true ->
  shape_of c = shape_of [v] -> leads_as c v.
Proof. intros H E; split; [exact E|]; intros i B; exact (sv_all_shown _ c (look [v]) H i B). Qed.
Lemma sv_first c : forallb (fun i => sv_same_place (look c i) (look [first_view c] i)) (sv_indices (shape_of c)) = true ->
  one_view c.
Proof.
  intros H; destruct (first_view c) as [[[s t] o] m] eqn:E; unfold first_view in E; injection E; intros M O T S.
  exists t, o, m; split; [|split; [right|]].
  - rewrite <- T, map_length, seq_length; reflexivity.
  - rewrite <- M, map_length, seq_length; reflexivity.
  - intros i B; exact (sv_all_shown _ c (look [(s, t, o, m)]) H i B).
Qed.
Lemma sv_same_places c d :
  forallb (fun i => sv_same_place (look c i) (look d i) && negb (sv_same_place (look c i) Outside)) (sv_indices (shape_of c)) = true ->
  shape_of c = shape_of d -> same_places c d.
Proof. intros H E; split; [exact E|exact (sv_looks_same _ c d H)]. Qed.
Lemma sv_same_sooner c d k : forallb (fun i => negb (sooner i k) ||
    sv_same_place (look c i) (look d i) && negb (sv_same_place (look c i) Outside)) (sv_indices (shape_of c)) = true ->
  forall i, in_box (shape_of c) i -> sooner i k = true -> look c i = look d i.
Proof.
  rewrite forallb_forall; intros H i B S; specialize (H i (sv_in_indices _ i B)); rewrite S in H; cbn [negb orb] in H.
  apply andb_true_iff in H; apply sv_same_eq, H.
Qed.

(** Out of bounds, or not. *)
Lemma sv_inside_at p O V A : sv_at p O V A -> ~ O -> p <> Outside.
Proof.
  intros (P & Q & R & D) N E; destruct D as [v|v]; [rewrite (Q N v) in E|rewrite (R N v) in E]; discriminate.
Qed.
Lemma sv_first_inside v i : look [v] i <> Outside.
Proof. destruct v as [[[s t] o] m]; cbn [look]; destruct (in_mask m i); discriminate. Qed.
