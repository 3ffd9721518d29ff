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
Lemma sv_look_at s t o m i x : look [(s, t, o, m)] i = Address x -> dot t i + o = x /\ in_mask m i = true.
Proof. cbn [look]; destruct (in_mask m i); intros H; [injection H; auto|discriminate]. Qed.
Lemma sv_look_hidden s t o m i : look [(s, t, o, m)] i = Hidden -> in_mask m i = false.
Proof. cbn [look]; destruct (in_mask m i); [discriminate|auto]. Qed.
(** The result of a single view at an index, from that of the chain. *)
Ltac sv_look H i :=
  let h := fresh "h" in assert (h := H i ltac:(cbn; lia));
  match type of h with ?c = _ => let v := eval vm_compute in c in change c with v in h end; symmetry in h;
  first [apply sv_look_at in h; destruct h | apply sv_look_hidden in h].

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
(** The facts that one view implies at an index; a view has them. *)
Lemma sv_told p O V A (m : bool) B M B' :
  sv_at p O V A -> p = (if m then Address B else Hidden) -> (m = true <-> M) -> B = B' ->
  ~ O /\ (V -> A = B' /\ M) /\ (M -> V).
Proof.
  intros (P & Q & R & D) -> E <-; assert (N : ~ O) by (intros o; apply P in o; destruct m; discriminate).
  split; [exact N|split; [intros v; specialize (Q N v)|intros h; apply E in h; subst m]].
  - destruct m; [injection Q; intros; split; [auto|apply E; reflexivity]|discriminate].
  - destruct D as [v|v]; [exact v|specialize (R N v); discriminate].
Qed.
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
Ltac sv_bools := rewrite ?andb_true_iff, ?Z.leb_le, ?Z.ltb_lt in *.
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

(** One view of numbers: it agrees with the chain at every index; the facts that a chain implies at one index. *)
Lemma sv_all_shown s vs (f : list Z -> place) :
  forallb (fun i => sv_same_place (look vs i) (f i)) (sv_indices s) = true -> forall i, in_box s i -> look vs i = f i.
Proof. rewrite forallb_forall; intros H i B; apply sv_same_eq, H, sv_in_indices, B. Qed.
Lemma sv_if_address (m : bool) x y : Address y = (if m then Address x else Hidden) -> m = true /\ x = y.
Proof. destruct m; intros H; [injection H; auto|discriminate]. Qed.
Lemma sv_if_hidden (m : bool) x : Hidden = (if m then Address x else Hidden) -> m = false.
Proof. destruct m; intros H; [discriminate|reflexivity]. Qed.
Lemma sv_never_outside (m : bool) x : Outside = (if m then Address x else Hidden) -> False.
Proof. destruct m; discriminate. Qed.
Ltac sv_looked h :=
  match type of h with ?c = _ => let v := eval vm_compute in c in change c with v in h end;
  first [ exfalso; discriminate h | exfalso; exact (sv_never_outside _ _ h)
        | injection h; clear h; intros h | apply sv_if_address in h; destruct h | apply sv_if_hidden in h ].
Ltac sv_numbers := first [lia | vm_compute; intuition congruence].

(** A chain of views without masks hides nothing; one view, by its strides, its offset and bounds for each dim. *)
Definition sv_plain (c : list view) : bool := forallb (fun v => match v with (_, _, _, []) => true | _ => false end) c.
Lemma sv_plain_shows c : sv_plain c = true -> forall i, look c i <> Hidden.
Proof.
  induction c as [|[[[s t] o] m] c IH]; intros P i; [discriminate|].
  cbn [sv_plain forallb] in P; apply andb_true_iff in P; destruct P as [M P]; destruct m; [|discriminate].
  cbn [look in_mask]; destruct c as [|[[[s' t'] o'] m'] c]; [discriminate|].
  destruct ((0 <=? dot t i + o) && (dot t i + o <? size_of s'))%bool; [apply IH, P|discriminate].
Qed.
Lemma sv_one_plain c : one_view c -> sv_plain c = true -> exists t o, length t = length (shape_of c) /\
  forall i, in_box (shape_of c) i -> look c i = Address (dot t i + o).
Proof.
  intros (t & o & m & T & _ & H) P; exists t, o; split; [exact T|]; intros i B; specialize (H i B).
  pose proof (sv_plain_shows c P i) as N; rewrite H in *; cbn [look] in *.
  destruct (in_mask m i); [reflexivity|exfalso; apply N; reflexivity].
Qed.
Lemma sv_whole_mask s : forall i, in_box s i -> in_mask (map (fun n => (0, n)) s) i = true.
Proof.
  induction s as [|n s IH]; destruct i; cbn; intros B; try reflexivity.
  rewrite IH by apply B; destruct B; lia.
Qed.
Lemma sv_one_masked c : one_view c -> exists t o m, length t = length (shape_of c) /\ length m = length (shape_of c) /\
  forall i, in_box (shape_of c) i -> look c i = if in_mask m i then Address (dot t i + o) else Hidden.
Proof.
  intros (t & o & m & T & [->|M] & H).
  - exists t, o, (map (fun n => (0, n)) (shape_of c)); rewrite map_length; repeat split; auto.
    intros i B; rewrite (H i B), sv_whole_mask by exact B; reflexivity.
  - exists t, o, m; repeat split; auto.
Qed.
Lemma sv_is_one_view c s t o m : leads_as c (s, t, o, m) ->
  length t = length (shape_of c) -> (m = [] \/ length m = length (shape_of c)) -> one_view c.
Proof. intros [E H] T M; exists t, o, m; repeat split; auto; cbn [shape_of] in E; rewrite E at 2; exact H. Qed.
Ltac sv_one_view H := eapply sv_is_one_view; [exact H|reflexivity|first [left; reflexivity|right; reflexivity]].

(** Views of numbers: where both lead, at each index; no view is left that agrees at some. *)
Lemma sv_leads c v : forallb (fun i => sv_same_place (look c i) (look [v] i)) (sv_indices (shape_of c)) = true ->
  shape_of c = shape_of [v] -> leads_as c v.
Proof. intros H E; split; [exact E|]; intros i B; exact (sv_all_shown _ c (look [v]) H i B). Qed.
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
