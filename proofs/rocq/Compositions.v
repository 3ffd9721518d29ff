(** CuTe's composition: associative where it exists; when it exists.

    Source: "CuTe Layout Algebra" (L. Mao), Definitions 2.11 to 2.17, Proposition 2.14, Theorem 2.18. Its admission is
    sufficient for one mode, and not needed; what is both, is proved here. *)
From Coq Require Import ZArith Lia List Bool.
From Symview Require Import Layouts.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** R is A ∘ B: it has the size of B, and f_R(i) = f̂_A(f_B(i)). *)
Definition composes (A B R : layout) : Prop := has_values R (size B) (fun i => value A (value B i)).

(** * Associativity *)

(** (A ∘ B) ∘ C and A ∘ (B ∘ C) are the same compositions, where A ∘ B and B ∘ C exist and C stays inside of B. *)
Theorem composition_associative A B C AB BC R :
  composes A B AB -> composes B C BC -> (forall i, 0 <= i < size C -> 0 <= value C i < size B) ->
  composes AB C R <-> composes A BC R.
Proof.
  intros (S & V) (T & W) In; unfold composes, has_values; rewrite T; split; intros (U & X); split; auto; intros i I.
  - rewrite X, W, V by (auto; apply In; auto); reflexivity.
  - rewrite X, W, V by (auto; apply In; auto); reflexivity.
Qed.

(** Their coalesced forms are equal. *)
Theorem composition_associative_coalesced A B C AB BC R S :
  composes A B AB -> composes B C BC -> (forall i, 0 <= i < size C -> 0 <= value C i < size B) ->
  positive R -> positive S -> composes AB C R -> composes A BC S -> coalesce R = coalesce S.
Proof.
  intros HA HB In P Q HR HS; apply (composition_associative A B C AB BC) in HR; auto.
  destruct HR as [N V], HS as [M W]; apply same_function_iff; auto; [congruence|].
  intros x X; rewrite V, W by lia; reflexivity.
Qed.

(** Where C leaves B, the extension of A ∘ B counts, which need not be that of A after B: ((2,1):(1,5) ∘ 2:1) ∘ 3:1 is
    3:1, and (2,1):(1,5) ∘ (2:1 ∘ 3:1) takes 0, 1 and 5. *)
Theorem composition_not_associative_outside :
  composes [(2, 1); (1, 5)] [(2, 1)] [(2, 1)] /\ composes [(2, 1)] [(3, 1)] [(3, 1)] /\
  composes [(2, 1)] [(3, 1)] [(3, 1)] /\ ~ composes [(2, 1); (1, 5)] [(3, 1)] [(3, 1)].
Proof.
  assert (One : composes [(2, 1)] [(3, 1)] [(3, 1)]) by (split; [reflexivity|intros; cbn [value]; lia]).
  repeat split; auto; try (apply One).
  - intros x X; cbn in X; assert (x = 0 \/ x = 1) as [->| ->] by lia; reflexivity.
  - intros (_ & V); specialize (V 2 ltac:(cbn; lia)); cbn in V; discriminate.
Qed.

(** Compositions that hold for the extensions, as far as one counts, are associative without a condition. *)
Theorem composition_associative_extended A B C AB BC :
  (forall x, 0 <= x -> value AB x = value A (value B x)) -> (forall x, 0 <= x -> value BC x = value B (value C x)) ->
  (forall x, 0 <= x -> 0 <= value C x) ->
  forall x, 0 <= x -> value AB (value C x) = value A (value BC x).
Proof. intros E F N x X; rewrite E, F by auto; reflexivity. Qed.

(** Identities: M:1 from the left, size(A):1 from the right. *)
Theorem composition_identity_left A M : composes [(M, 1)] A A.
Proof. split; [reflexivity|intros; cbn [value]; lia]. Qed.

Theorem composition_identity_right A : composes A [(size A, 1)] A.
Proof. split; [cbn [size]; lia|intros; cbn [value]; f_equal; lia]. Qed.

(** * Several modes *)

(** Theorem 2.18, put right: compositions of the parts of B, one by one, are the composition with B if and only if f̂_A
    adds up their values. Disjoint intervals are not enough for three modes: see [theorem_2_18_fails]. *)
Theorem composition_of_parts A B C R S :
  positive B -> positive C -> positive R -> positive S -> composes A B R -> composes A C S ->
  composes A (B ++ C) (R ++ S) <->
  forall x y, 0 <= x < size B -> 0 <= y < size C ->
    value A (value B x + value C y) = value A (value B x) + value A (value C y).
Proof.
  intros PB PC PR PS (N & V) (M & W); split.
  - intros (_ & H) x y X Y; specialize (H (x + size B * y)).
    rewrite (value_app B C x y) in H by auto.
    rewrite <- N, value_app, V, W in H by (auto; lia); rewrite <- H; [reflexivity|rewrite size_app; nia].
  - intros H; split; [rewrite !size_app, N, M; reflexivity|]; intros x X; rewrite size_app in X.
    pose proof (size_positive B PB) as SB.
    assert (Q : 0 <= x / size B < size C) by (apply quotient_below; auto).
    pose proof (Z.mod_pos_bound x (size B) ltac:(lia)) as Z0; pose proof (Z.div_mod x (size B) ltac:(lia)) as D.
    set (a := x mod size B) in *; set (b := x / size B) in *.
    replace x with (a + size B * b) by lia; rewrite (value_app B C a b), H, <- V, <- W by auto.
    rewrite <- N; apply value_app; auto; lia.
Qed.

(** * Proposition 2.14: admission is sufficient for one mode *)

(** Definition 2.11: what is left of A behind a stride r, where r divides the sizes from the left. The last size counts
    as endless. *)
Fixpoint divide (A : layout) (r : Z) : option layout :=
  match A with
  | [] => None
  | [(m, d)] => Some [(m, r * d)]
  | (m, d) :: A' =>
      if r <? m
      then if m mod r =? 0 then Some ((m / r, r * d) :: A') else None
      else if r mod m =? 0 then divide A' (r / m) else None
  end.

(** Definition 2.13: the first N of it, where N divides the sizes from the left, weakly. *)
Fixpoint take (A : layout) (N : Z) : option layout :=
  match A with
  | [] => None
  | [(m, d)] => Some [(N, d)]
  | (m, d) :: A' =>
      if N <=? m
      then Some [(N, d)]
      else if N mod m =? 0 then option_map (cons (m, d)) (take A' (N / m)) else None
  end.

Definition compose_mode (A : layout) (N r : Z) : option layout :=
  match divide A r with
  | Some A' => take A' N
  | None => None
  end.

Lemma divide_value A : forall r A', positive A -> 1 <= r -> divide A r = Some A' ->
  positive A' /\ forall x, value A' x = value A (x * r).
Proof.
  induction A as [|[m d] A IH]; intros r A' P R E; [discriminate|]; destruct (positive_cons _ _ _ P) as [M P'].
  destruct A as [|k A].
  - injection E as <-; split; [constructor; auto|]; intros x; cbn [value]; ring.
  - cbn [divide] in E; destruct (Z.ltb_spec r m) as [L|L].
    + destruct (Z.eqb_spec (m mod r) 0) as [Z0|]; [|discriminate]; injection E as <-.
      pose proof (Z.div_mod m r ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := m / r) in *.
      assert (Q : 1 <= q) by nia; split; [constructor; auto|]; intros x.
      rewrite !value_next by discriminate; rewrite D, mod_by_parts, div_by_parts by auto.
      rewrite Z.mod_mul, Z.div_mul by lia; ring.
    + destruct (Z.eqb_spec (r mod m) 0) as [Z0|]; [|discriminate].
      pose proof (Z.div_mod r m ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := r / m) in *.
      destruct (IH q A' P' ltac:(nia) E) as [Q V]; split; auto; intros x; rewrite V.
      rewrite value_next, D by discriminate; replace (x * (m * q)) with ((x * q) * m) by ring.
      rewrite Z.mod_mul, Z.div_mul by lia; ring.
Qed.

Lemma take_values A : forall N R, positive A -> 1 <= N -> take A N = Some R -> has_values R N (value A).
Proof.
  induction A as [|[m d] A IH]; intros N R P Pos E; [discriminate|]; destruct (positive_cons _ _ _ P) as [M P'].
  destruct A as [|k A].
  - injection E as <-; split; [cbn [size]; lia|reflexivity].
  - cbn [take] in E; destruct (Z.leb_spec N m) as [L|L].
    + injection E as <-; split; [cbn [size]; lia|]; intros x X; rewrite !value_first_mode by lia; reflexivity.
    + destruct (Z.eqb_spec (N mod m) 0) as [Z0|]; [|discriminate].
      pose proof (Z.div_mod N m ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := N / m) in *.
      change (option_map (cons (m, d)) (take (k :: A) q) = Some R) in E.
      destruct (take (k :: A) q) as [R'|] eqn:T; [|discriminate]; injection E as <-.
      destruct (IH q R' P' ltac:(nia) T) as [S V]; split; [cbn [size]; lia|]; intros x X.
      rewrite value_inside, value_next by (discriminate || lia); rewrite V; auto; apply quotient_below; lia.
Qed.

(** Proposition 2.14: where {A, N:r} is admissible, the layout of Definition 2.13 is the composition. *)
Theorem proposition_2_14 A N r R : positive A -> 1 <= N -> 1 <= r -> compose_mode A N r = Some R ->
  composes A [(N, r)] R.
Proof.
  unfold compose_mode; intros P Pos Q E; destruct (divide A r) as [A'|] eqn:D; [|discriminate].
  destruct (divide_value A r A' P Q D) as [P' V]; destruct (take_values A' N R P' Pos E) as [S W].
  split; [cbn [size]; lia|]; cbn [size value]; intros x X; rewrite W by lia; apply V.
Qed.

(** A stride r that divides the sizes from the left starts new digits: what is below r does not carry into them; where r
    reaches the last mode, which has no end, nothing does. *)
Lemma divide_adds A : forall r A', positive A -> 1 <= r -> divide A r = Some A' ->
  forall u y, 0 <= u < r \/ size (removelast A) <= r -> value A (u + y * r) = value A u + value A (y * r).
Proof.
  induction A as [|[m d] A IH]; intros r A' P R E u y U; [discriminate|]; destruct (positive_cons _ _ _ P) as [M P'].
  destruct A as [|k A]; [cbn [value]; ring|]; cbn [divide] in E; rewrite !value_next by discriminate.
  change (size (removelast ((m, d) :: k :: A))) with (m * size (removelast (k :: A))) in U.
  assert (Pr : 1 <= size (removelast (k :: A))).
  { apply size_positive; unfold positive; apply Forall_forall; intros t J; unfold positive in P'.
    rewrite Forall_forall in P'; apply P'; rewrite (app_removelast_last (0, 0)) by discriminate; apply in_or_app;
      auto. }
  destruct (Z.ltb_spec r m) as [L|L].
  - destruct (Z.eqb_spec (m mod r) 0) as [Z0|]; [|discriminate].
    pose proof (Z.div_mod m r ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := m / r) in *.
    assert (Q : 1 <= q) by nia; destruct U as [U|U]; [|nia].
    rewrite (Z.div_small u m), (Z.mod_small u m), value_0, D, !mod_by_parts, !div_by_parts by lia.
    rewrite Z.mod_mul, Z.div_mul, Z.mod_add, Z.div_add, (Z.div_small u), (Z.mod_small u), Z.add_0_l by lia; ring.
  - destruct (Z.eqb_spec (r mod m) 0) as [Z0|]; [|discriminate].
    pose proof (Z.div_mod r m ltac:(lia)) as D; rewrite Z0, Z.add_0_r in D; set (q := r / m) in *.
    assert (U' : 0 <= u / m < q \/ size (removelast (k :: A)) <= q).
    { destruct U as [U|U]; [left; apply quotient_below; lia|right; nia]. }
    pose proof (IH q A' P' ltac:(nia) E (u / m) y U') as V.
    replace (y * r) with ((y * q) * m) by (rewrite D; ring).
    rewrite Z.mod_add, Z.div_add, Z.mod_mul, Z.div_mul, V by lia; ring.
Qed.

(** Definition 2.16: the interval of definition of N:r behind the sizes of A. *)
Definition in_interval (A : layout) (N r x : Z) : Prop := r <= x <= r * (N - 1) /\ 1 <= x < size (removelast A).

(** Theorem 2.18 for B of two modes: where both are admissible and their intervals are disjoint, the layouts of
    Definition 2.13, one after the other, are the composition. *)
Theorem theorem_2_18_two_modes A N r R K s S :
  positive A -> 1 <= N -> 1 <= r -> 1 <= K -> 1 <= s -> positive R -> positive S ->
  compose_mode A N r = Some R -> compose_mode A K s = Some S ->
  (forall x, ~ (in_interval A N r x /\ in_interval A K s x)) ->
  composes A [(N, r); (K, s)] (R ++ S).
Proof.
  intros P PN Pr PK Ps PR PS E F Apart.
  pose proof (proposition_2_14 A N r R P PN Pr E) as HR; pose proof (proposition_2_14 A K s S P PK Ps F) as HS.
  change [(N, r); (K, s)] with ([(N, r)] ++ [(K, s)]).
  apply composition_of_parts; auto; try (repeat constructor; auto).
  cbn [size value]; rewrite !Z.mul_1_r; intros x y X Y.
  unfold compose_mode in E, F; destruct (divide A r) as [Ar|] eqn:Dr; [|discriminate].
  destruct (divide A s) as [As|] eqn:Ds; [|discriminate].
  destruct (Z.eq_dec x 0) as [->|X0]; [rewrite Z.mul_0_l, value_0, !Z.add_0_l; reflexivity|].
  destruct (Z.eq_dec y 0) as [->|Y0]; [rewrite Z.mul_0_l, value_0, !Z.add_0_r; reflexivity|].
  destruct (Z.le_gt_cases r s) as [L|L].
  - apply (divide_adds A s As); auto.
    destruct (Z.lt_ge_cases s (size (removelast A))) as [I|I]; [left|auto].
    destruct (Z.le_gt_cases s (r * (N - 1))) as [J|J]; [|nia].
    exfalso; apply (Apart s); unfold in_interval; nia.
  - rewrite Z.add_comm, (Z.add_comm (value A (x * r))); apply (divide_adds A r Ar); auto.
    destruct (Z.lt_ge_cases r (size (removelast A))) as [I|I]; [left|auto].
    destruct (Z.le_gt_cases r (s * (K - 1))) as [J|J]; [|nia].
    exfalso; apply (Apart r); unfold in_interval; nia.
Qed.

(** * Exactly when a composition exists *)

(** Where h first leaves the line 0, d, 2d, …; N where it never does. *)
Fixpoint bend_from (fuel : nat) (h : Z -> Z) (d x : Z) : Z :=
  match fuel with
  | O => x
  | S k => if h x =? x * d then bend_from k h d (x + 1) else x
  end.

Definition bend_of (h : Z -> Z) (N : Z) : Z := bend_from (Z.to_nat N) h (h 1) 0.

(** The modes of h on [0, N), one after the other: the fastest ends where h first bends, and has to divide N. *)
Fixpoint modes_of (fuel : nat) (h : Z -> Z) (N : Z) : option layout :=
  match fuel with
  | O => None
  | S k =>
      if N =? 1 then Some [] else
      let n := bend_of h N in
      if (2 <=? n) && (N mod n =? 0)
      then option_map (cons (n, h 1)) (modes_of k (fun y => h (n * y)) (N / n))
      else None
  end.

(** The numbers from 0 to N − 1 all satisfy p. *)
Fixpoint below (fuel : nat) (p : Z -> bool) (x : Z) : bool :=
  match fuel with
  | O => true
  | S k => p x && below k p (x + 1)
  end.

(** The one layout that has a chance to be h on [0, N), if it is. *)
Definition layout_of (h : Z -> Z) (N : Z) : option layout :=
  match modes_of (Z.to_nat N) h N with
  | Some R => if (size R =? N) && below (Z.to_nat N) (fun x => value R x =? h x) 0 then Some R else None
  | None => None
  end.

Lemma bend_from_spec h d n : h n <> n * d -> forall fuel x, x <= n < x + Z.of_nat fuel ->
  (forall y, x <= y < n -> h y = y * d) -> bend_from fuel h d x = n.
Proof.
  intros B; induction fuel as [|fuel IH]; intros x X L; [lia|]; cbn [bend_from].
  destruct (Z.eqb_spec (h x) (x * d)) as [E|E].
  - apply IH; [|intros; apply L; lia]; destruct (Z.eq_dec x n) as [->|]; [tauto|lia].
  - destruct (Z.eq_dec x n) as [->|N]; auto; rewrite L in E by lia; congruence.
Qed.

Lemma bend_from_end h d : forall fuel x, (forall y, x <= y < x + Z.of_nat fuel -> h y = y * d) ->
  bend_from fuel h d x = x + Z.of_nat fuel.
Proof.
  induction fuel as [|fuel IH]; intros x L; cbn [bend_from]; [lia|].
  rewrite L by lia; rewrite Z.eqb_refl, IH by (intros; apply L; lia); lia.
Qed.

Lemma below_spec p : forall fuel x, below fuel p x = true <-> forall y, x <= y < x + Z.of_nat fuel -> p y = true.
Proof.
  induction fuel as [|fuel IH]; intros x; cbn [below]; [split; [intros; lia|auto]|].
  rewrite andb_true_iff, IH; split.
  - intros [E H] y Y; destruct (Z.eq_dec y x) as [->|]; [auto|apply H; lia].
  - intros H; split; [apply H; lia|intros; apply H; lia].
Qed.

Lemma modes_of_coalesced L : forall fuel h, coalesced L -> (length L < fuel)%nat ->
  (forall x, 0 <= x < size L -> value L x = h x) -> modes_of fuel h (size L) = Some L.
Proof.
  induction L as [|[n d] L IH]; intros [|fuel] h C F V; try (simpl in F; lia); [reflexivity|].
  pose proof C as (N & CL & _); pose proof (size_positive L (coalesced_positive L CL)) as S.
  assert (Big : 2 <= size ((n, d) :: L)) by (cbn [size]; nia).
  assert (H1 : h 1 = d) by (rewrite <- V by lia; apply value_1; auto).
  assert (B : bend_of h (size ((n, d) :: L)) = n).
  { unfold bend_of; rewrite H1; destruct (Z.eq_dec (size L) 1) as [E|E].
    - transitivity (0 + Z.of_nat (Z.to_nat (size ((n, d) :: L)))); [|cbn [size]; rewrite E; lia].
      apply bend_from_end; intros y Y; rewrite <- V by lia; apply value_first_mode; cbn [size] in Y; rewrite E in Y;
        lia.
    - assert (L1 : n < size ((n, d) :: L)) by (cbn [size]; nia).
      apply bend_from_spec; [rewrite <- V by lia; apply first_bend; auto|lia|].
      intros y Y; rewrite <- V by lia; apply value_first_mode; lia. }
  cbn [modes_of]; destruct (Z.eqb_spec (size ((n, d) :: L)) 1) as [|_]; [lia|].
  rewrite B, H1; cbn [size]; rewrite (Z.mul_comm n (size L)), Z.mod_mul, Z.div_mul by lia.
  replace (2 <=? n) with true by (symmetry; apply Z.leb_le; auto); cbn [andb Z.eqb].
  rewrite (IH fuel (fun y => h (n * y))); [reflexivity|auto|simpl in F; lia|].
  intros x X; rewrite <- V by (cbn [size]; nia); rewrite value_inside by (auto; nia).
  rewrite (Z.mul_comm n x), Z.mod_mul, Z.div_mul by lia; lia.
Qed.

Lemma coalesced_length L : coalesced L -> (length L < Z.to_nat (size L))%nat.
Proof.
  induction L as [|[n d] L IH]; intros C; [cbn; lia|]; destruct C as (N & C & _); specialize (IH C).
  pose proof (size_positive L (coalesced_positive L C)); cbn [length size]; nia.
Qed.

(** A function on [0, N) is the function of a layout if and only if this computation finds one, and what it finds is the
    coalesced one. *)
Theorem layout_of_exact h N R : 1 <= N ->
  layout_of h N = Some R <-> coalesced R /\ has_values R N h.
Proof.
  intros Pos; split.
  - unfold layout_of; intros E; destruct (modes_of (Z.to_nat N) h N) as [R'|] eqn:M; [|discriminate].
    destruct ((size R' =? N) && below (Z.to_nat N) (fun x => value R' x =? h x) 0) eqn:B; [|discriminate].
    injection E as <-; rewrite andb_true_iff, Z.eqb_eq, below_spec in B; destruct B as [S V].
    assert (H : has_values R' N h).
    { split; auto; intros x X; apply Z.eqb_eq, V; lia. }
    split; auto.
    assert (P : forall fuel h N K, modes_of fuel h N = Some K -> Forall (fun m => 2 <= fst m) K).
    { clear; induction fuel as [|fuel IH]; intros h N K E; [discriminate|]; cbn [modes_of] in E.
      destruct (N =? 1); [injection E as <-; constructor|].
      destruct ((2 <=? bend_of h N) && (N mod bend_of h N =? 0)) eqn:B; [|discriminate].
      destruct (modes_of fuel (fun y => h (bend_of h N * y)) (N / bend_of h N)) as [K'|] eqn:M; [|discriminate].
      injection E as <-; apply andb_true_iff in B; destruct B as [B _]; apply Z.leb_le in B.
      constructor; [auto|apply (IH _ _ _ M)]. }
    pose proof (P _ _ _ _ M) as P2.
    assert (Pr : positive R') by (unfold positive; revert P2; apply Forall_impl; intros; lia).
    pose proof (coalesce_coalesced R' Pr) as C.
    assert (E : modes_of (Z.to_nat (size (coalesce R'))) h (size (coalesce R')) = Some (coalesce R')).
    { apply modes_of_coalesced; [auto|apply coalesced_length; auto|].
      rewrite coalesce_size, S; intros x X; rewrite coalesce_same by (auto; lia); apply H; auto. }
    rewrite coalesce_size, S, M in E; injection E as E; rewrite E; auto.
  - intros (C & S & V); unfold layout_of.
    assert (M : modes_of (Z.to_nat N) h N = Some R).
    { rewrite <- S; apply modes_of_coalesced; [auto|apply coalesced_length; auto|rewrite S; auto]. }
    rewrite M, S, Z.eqb_refl; cbn [andb].
    replace (below (Z.to_nat N) (fun x => value R x =? h x) 0) with true; auto.
    symmetry; apply below_spec; intros y Y; apply Z.eqb_eq, V; lia.
Qed.

(** So where it finds none, there is none. *)
Theorem layout_of_none h N : 1 <= N -> layout_of h N = None <-> ~ exists R, positive R /\ has_values R N h.
Proof.
  intros Pos; split.
  - intros E (R & P & S & V).
    assert (F : layout_of h N = Some (coalesce R)).
    { apply layout_of_exact; auto; split; [apply coalesce_coalesced; auto|split; [rewrite coalesce_size; auto|]].
      intros x X; rewrite coalesce_same by (auto; lia); auto. }
    congruence.
  - intros No; destruct (layout_of h N) as [R|] eqn:E; auto; apply layout_of_exact in E; auto.
    destruct E as [C H]; exfalso; apply No; exists R; split; auto; apply coalesced_positive; auto.
Qed.

(** A ∘ B, of numbers: exactly when it exists, for B of one mode or of any number. *)
Definition composition (A B : layout) : option layout := layout_of (fun i => value A (value B i)) (size B).

Theorem composition_exact A B R : positive B -> composition A B = Some R <-> coalesced R /\ composes A B R.
Proof. intros P; apply layout_of_exact, size_positive; auto. Qed.

Theorem composition_none A B : positive B -> composition A B = None <-> ~ exists R, positive R /\ composes A B R.
Proof. intros P; apply layout_of_none, size_positive; auto. Qed.

(** * Two modes of A and one of B: the condition in closed form *)

Section TwoModes.
Variables m M d e N r : Z.
Hypotheses (Pm : 1 <= m) (PN : 1 <= N) (Pr : 0 <= r).

Let q := r / m.
Let r' := r mod m.
Let slope := r * d + (e - m * d) * q.

Lemma two_modes_value x : value [(m, d); (M, e)] (x * r) = x * slope + (e - m * d) * (r' * x / m).
Proof.
  cbn [value]; pose proof (Z.div_mod r m ltac:(lia)) as D; fold q r' in D.
  assert (E : (x * r) / m = x * q + r' * x / m).
  { replace (x * r) with (r' * x + (x * q) * m) by (rewrite D; ring); rewrite Z.div_add by lia; ring. }
  pose proof (Z.div_mod (x * r) m ltac:(lia)) as F; rewrite E in *; unfold slope.
  replace ((x * r) mod m) with (x * r - m * (x * q + r' * x / m)) by lia; ring.
Qed.

(** (m,M):(d,e) ∘ N:r exists exactly if the modes of A are one, or m divides r, or N values end before the first carry,
    which is at n = ceil(m / (r mod m)), or n divides N and the carries come evenly, every n steps. The document's
    admission asks that r mod m divides m, where (n·(r mod m) − m) is 0. *)
Theorem composition_of_two_modes_iff : let n := - ((- m) / r') in
  (exists R, positive R /\ composes [(m, d); (M, e)] [(N, r)] R) <->
  e = m * d \/ r' = 0 \/ N <= n \/ (N mod n = 0 /\ (n * r' - m) * (N / n) < r').
Proof.
  intros n; pose proof (Z.mod_pos_bound r m ltac:(lia)) as R'; fold r' in R'.
  assert (Values : forall R, composes [(m, d); (M, e)] [(N, r)] R <->
    has_values R N (fun x => x * slope + (e - m * d) * (r' * x / m))).
  { intros R; unfold composes, has_values; cbn [size]; rewrite Z.mul_1_r.
    split; intros (S & V); split; auto; intros x X; rewrite V by auto.
    - rewrite <- two_modes_value; reflexivity.
    - rewrite <- two_modes_value; reflexivity. }
  assert (Ceil : r' <> 0 -> 2 <= n /\ r' * (n - 1) < m <= r' * n).
  { intros N0; unfold n; pose proof (Z.div_mod (- m) r' ltac:(lia)); pose proof (Z.mod_pos_bound (- m) r' ltac:(lia)).
    nia. }
  split.
  - intros (R & P & H); apply Values in H; destruct H as (S & V).
    destruct (Z.eq_dec e (m * d)) as [|De]; auto; destruct (Z.eq_dec r' 0) as [|R0]; auto; right; right.
    destruct (Z.le_gt_cases N n) as [|L]; auto; right; destruct (Ceil R0) as [N2 Nm].
    assert (Small : forall x, 0 <= x < n -> r' * x / m = 0) by (intros; apply Z.div_small; nia).
    assert (AtN : r' * n / m = 1) by (symmetry; apply Z.div_unique_pos with (r' * n - m); nia).
    pose proof (coalesce_coalesced R P) as C; pose proof (coalesce_size R) as S'.
    assert (V' : forall x, 0 <= x < N -> value (coalesce R) x = x * slope + (e - m * d) * (r' * x / m)).
    { intros x X; rewrite coalesce_same by (auto; lia); apply V; auto. }
    clear V; rewrite S in S'; revert C S' V'; generalize (coalesce R) as K; intros K C S' V'.
    destruct K as [|[k f] K]; [cbn [size] in S'; lia|].
    assert (F : f = slope).
    { rewrite <- (value_1 k f K) by (destruct C; auto); rewrite V', Small by lia; ring. }
    subst f; assert (K1 : k = n).
    { destruct (Z.lt_trichotomy k n) as [T|[T|T]]; auto; exfalso.
      - apply (first_bend k slope K); [auto|lia|]; destruct C; rewrite V', Small by lia; ring.
      - pose proof (V' n ltac:(lia)) as W; rewrite value_first_mode, AtN in W by lia; lia. }
    subst k; cbn [size] in S'; pose proof (size_positive K (coalesced_positive K (proj1 (proj2 C)))) as PK.
    assert (Nn : N / n = size K) by (rewrite <- S', Z.mul_comm; apply Z.div_mul; lia).
    split; [rewrite <- S', Z.mul_comm; apply Z.mod_mul; lia|]; rewrite Nn.
    assert (Even : forall y z, 0 <= y < size K -> 0 <= z < n -> r' * (z + n * y) / m = r' * (n * y) / m).
    { intros y z Y X; pose proof (V' (z + n * y) ltac:(nia)) as W1; pose proof (V' (n * y) ltac:(nia)) as W2.
      rewrite value_inside in W1, W2 by nia; rewrite number_mod, number_div in W1 by auto.
      rewrite (Z.mul_comm n y), Z.mod_mul, Z.div_mul, (Z.mul_comm y n) in W2 by lia; nia. }
    assert (G : forall k, Z.of_nat k < size K -> (n * r' - m) * (Z.of_nat k + 1) < r').
    { induction k as [|k IH]; intros B; [nia|]; specialize (IH ltac:(lia)); rewrite Nat2Z.inj_succ in *.
      unfold Z.succ in *; set (y := Z.of_nat k + 1) in *.
      pose proof (Even y (n - 1) ltac:(lia) ltac:(lia)) as E.
      replace (r' * (n * y) / m) with y in E by (apply Z.div_unique_pos with ((n * r' - m) * y); nia).
      pose proof (Z.div_mod (r' * (n - 1 + n * y)) m ltac:(lia)) as D.
      pose proof (Z.mod_pos_bound (r' * (n - 1 + n * y)) m ltac:(lia)); rewrite E in D; nia. }
    specialize (G (Z.to_nat (size K - 1)) ltac:(lia)); rewrite Z2Nat.id in G by lia.
    replace (size K - 1 + 1) with (size K) in G by lia; auto.
  - assert (Line : (forall x, 0 <= x < N -> (e - m * d) * (r' * x / m) = 0) ->
      exists R, positive R /\ composes [(m, d); (M, e)] [(N, r)] R).
    { intros Z0; exists [(N, slope)]; split; [repeat constructor; auto|]; apply Values; split; [cbn [size]; lia|].
      intros x X; rewrite Z0 by auto; cbn [value]; ring. }
    intros Case; destruct (Z.eq_dec r' 0) as [R0|R0].
    { apply Line; intros x X; rewrite R0; cbn [Z.mul]; rewrite div_0; ring. }
    destruct (Ceil R0) as [N2 Nm]; destruct Case as [E|[E|[E|[E F]]]].
    + apply Line; intros x X; rewrite E; ring.
    + congruence.
    + apply Line; intros x X; rewrite (Z.div_small (r' * x) m) by nia; ring.
    + pose proof (Z.div_mod N n ltac:(lia)) as D; rewrite E, Z.add_0_r in D; set (k := N / n) in *.
      assert (K : 1 <= k) by nia.
      exists [(n, slope); (k, n * slope + (e - m * d))]; split; [repeat constructor; cbn [fst]; lia|].
      apply Values; split; [cbn [size]; lia|]; intros x X; rewrite value_inside by (cbn [size]; lia); cbn [value].
      pose proof (Z.div_mod x n ltac:(lia)) as Dx; pose proof (Z.mod_pos_bound x n ltac:(lia)) as Bx.
      pose proof (quotient_below x n k ltac:(lia) ltac:(lia)) as By; set (z := x mod n) in *; set (y := x / n) in *.
      replace (r' * x / m) with y; [rewrite Dx; ring|].
      apply Z.div_unique_pos with ((n * r' - m) * y + r' * z); [|rewrite Dx; ring].
      assert (G : (n * r' - m) * (y + 1) <= (n * r' - m) * k) by nia; nia.
Qed.
End TwoModes.
