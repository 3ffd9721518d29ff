(** CuTe's layouts: their functions, concatenation, and coalescing, whose result is unique.

    Source: "CuTe Layout Algebra" (L. Mao), Definitions 2.1 to 2.3, Coalescence, and Lemma 2.19. Strides may be of any
    sign. *)
From Coq Require Import ZArith Lia List.
Import ListNotations.
Local Open Scope Z_scope.

(** * Definitions *)

(** The modes, each a size and a stride, the first one fastest. The empty list stands for 1:0. *)
Definition layout : Type := list (Z * Z).

(** The layout function; beyond the size it is the extension f̂, as the last mode has no end. *)
Fixpoint value (L : layout) (x : Z) : Z :=
  match L with
  | [] => 0
  | [(n, d)] => x * d
  | (n, d) :: L' => (x mod n) * d + value L' (x / n)
  end.

Fixpoint size (L : layout) : Z :=
  match L with
  | [] => 1
  | (n, d) :: L' => n * size L'
  end.

Definition positive (L : layout) : Prop := Forall (fun m => 1 <= fst m) L.

(** The layout R has the size N and these values. *)
Definition has_values (R : layout) (N : Z) (h : Z -> Z) : Prop :=
  size R = N /\ forall x, 0 <= x < N -> value R x = h x.

(** Coalescing, from the last mode to the first: sizes of 1 are left out, and a mode that goes on where the one before
    ends joins it. *)
Fixpoint coalesce (L : layout) : layout :=
  match L with
  | [] => []
  | (n, d) :: L' =>
      if n =? 1 then coalesce L' else
      match coalesce L' with
      | (m, e) :: R => if e =? n * d then (n * m, d) :: R else (n, d) :: (m, e) :: R
      | [] => [(n, d)]
      end
  end.

(** No rule of coalescing applies. *)
Fixpoint coalesced (L : layout) : Prop :=
  match L with
  | [] => True
  | (n, d) :: L' =>
      2 <= n /\ coalesced L' /\
      match L' with
      | (m, e) :: _ => e <> n * d
      | [] => True
      end
  end.

(** * Quotients *)

Lemma div_0 n : 0 / n = 0.
Proof. destruct n; reflexivity. Qed.

Lemma mod_0 n : 0 mod n = 0.
Proof. destruct n; reflexivity. Qed.

Lemma mod_by_parts x n c : 1 <= n -> 1 <= c -> x mod (n * c) = (x / n) mod c * n + x mod n.
Proof.
  intros N C; symmetry; apply Z.mod_unique_pos with (x / n / c).
  - pose proof (Z.mod_pos_bound (x / n) c); pose proof (Z.mod_pos_bound x n); nia.
  - pose proof (Z.div_mod x n); pose proof (Z.div_mod (x / n) c); nia.
Qed.

Lemma div_by_parts x n c : 1 <= n -> 1 <= c -> x / (n * c) = x / n / c.
Proof. intros; rewrite Z.div_div; lia. Qed.

Lemma mod_mod_part x n c : 1 <= n -> 1 <= c -> (x mod (n * c)) mod n = x mod n.
Proof.
  intros N C; rewrite mod_by_parts by auto; rewrite Z.add_comm, Z.mod_add by lia; apply Z.mod_small.
  apply Z.mod_pos_bound; lia.
Qed.

Lemma mod_div_part x n c : 1 <= n -> 1 <= c -> (x mod (n * c)) / n = (x / n) mod c.
Proof.
  intros N C; rewrite mod_by_parts by auto; rewrite Z.add_comm, Z.div_add by lia; rewrite Z.div_small; [lia|].
  apply Z.mod_pos_bound; lia.
Qed.

Lemma number_mod n y z : 0 <= z < n -> (z + n * y) mod n = z.
Proof. intros B; rewrite Z.mul_comm, Z.mod_add by lia; apply Z.mod_small; auto. Qed.

Lemma number_div n y z : 0 <= z < n -> (z + n * y) / n = y.
Proof. intros B; rewrite Z.mul_comm, Z.div_add, Z.div_small by lia; lia. Qed.

Lemma quotient_below x n k : 1 <= n -> 0 <= x < n * k -> 0 <= x / n < k.
Proof. intros N B; split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia]. Qed.

(** * Values *)

Lemma positive_cons n d L : positive ((n, d) :: L) -> 1 <= n /\ positive L.
Proof. intros P; inversion P; auto. Qed.

Lemma positive_app A B : positive (A ++ B) <-> positive A /\ positive B.
Proof. unfold positive; apply Forall_app. Qed.

Lemma size_positive L : positive L -> 1 <= size L.
Proof.
  induction L as [|[n d] L IH]; simpl; intros P; [lia|].
  destruct (positive_cons _ _ _ P) as [N P']; specialize (IH P'); nia.
Qed.

Lemma size_app A B : size (A ++ B) = size A * size B.
Proof. induction A as [|[n d] A IH]; cbn [size app]; [lia|rewrite IH; ring]. Qed.

Lemma value_next n d L x : L <> [] -> value ((n, d) :: L) x = (x mod n) * d + value L (x / n).
Proof. destruct L; [congruence|reflexivity]. Qed.

(** Inside the size the last mode is as all others. *)
Lemma value_inside n d L x : 1 <= n -> 0 <= x < n * size L ->
  value ((n, d) :: L) x = (x mod n) * d + value L (x / n).
Proof.
  intros N X; destruct L as [|m L]; [|reflexivity].
  cbn [size] in X; cbn [value]; rewrite Z.mod_small by lia; ring.
Qed.

Lemma value_0 L : value L 0 = 0.
Proof.
  induction L as [|[n d] L IH]; [reflexivity|]; destruct L as [|m L]; [reflexivity|].
  rewrite value_next by discriminate; rewrite mod_0, div_0, IH; ring.
Qed.

Lemma value_first_mode n d L x : 0 <= x < n -> value ((n, d) :: L) x = x * d.
Proof.
  intros X; destruct L as [|m L]; [reflexivity|]; rewrite value_next by discriminate.
  rewrite Z.mod_small, Z.div_small, value_0 by lia; ring.
Qed.

Lemma value_1 n d L : 2 <= n -> value ((n, d) :: L) 1 = d.
Proof. intros N; rewrite value_first_mode; lia. Qed.

(** Lemma 2.19: the function of a concatenation adds up those of its parts. *)
Theorem lemma_2_19 A B x : positive A -> positive B -> B <> [] \/ 0 <= x < size (A ++ B) ->
  value (A ++ B) x = value A (x mod size A) + value B (x / size A).
Proof.
  intros P Q; revert x; induction A as [|[n d] A IH]; intros x C; cbn [app size].
  - rewrite Z.mod_1_r, Z.div_1_r; reflexivity.
  - destruct (positive_cons _ _ _ P) as [N P']; pose proof (size_positive A P') as S.
    rewrite (value_inside n d A (x mod (n * size A))) by (auto; apply Z.mod_pos_bound; nia).
    rewrite mod_mod_part, mod_div_part, div_by_parts by auto.
    replace (value ((n, d) :: A ++ B) x) with ((x mod n) * d + value (A ++ B) (x / n)).
    + rewrite IH; [ring|auto|]; destruct C as [C|C]; [auto|right]; cbn [app size] in C; apply quotient_below; auto.
    + symmetry; destruct C as [C|C]; [apply value_next; destruct A, B; simpl; congruence|].
      apply value_inside; auto.
Qed.

(** The same, from the numbers in both parts. *)
Theorem value_app A B a b : positive A -> positive B -> 0 <= a < size A -> 0 <= b < size B ->
  value (A ++ B) (a + size A * b) = value A a + value B b.
Proof.
  intros P Q X Y; rewrite lemma_2_19; auto.
  - rewrite number_mod, number_div by auto; reflexivity.
  - right; rewrite size_app; nia.
Qed.

(** * Coalescing *)

Lemma coalesce_size L : size (coalesce L) = size L.
Proof.
  induction L as [|[n d] L IH]; [reflexivity|]; cbn [coalesce size]; rewrite <- IH.
  destruct (Z.eqb_spec n 1) as [->|N]; [lia|].
  destruct (coalesce L) as [|[m e] R]; [reflexivity|]; destruct (e =? n * d); cbn [size]; ring.
Qed.

Lemma coalesced_positive L : coalesced L -> positive L.
Proof. unfold positive; induction L as [|[n d] L IH]; simpl; intros C; constructor; [simpl; lia|apply IH; tauto]. Qed.

Lemma coalesced_size L : coalesced L -> L <> [] -> 2 <= size L.
Proof.
  destruct L as [|[n d] L]; [congruence|]; intros C _; cbn [size].
  destruct C as (N & C & _); pose proof (size_positive L (coalesced_positive L C)); nia.
Qed.

(** What coalescing returns is coalesced: all sizes are at least 2. *)
Theorem coalesce_coalesced L : positive L -> coalesced (coalesce L).
Proof.
  induction L as [|[n d] L IH]; intros P; [exact I|]; destruct (positive_cons _ _ _ P) as [N P'].
  specialize (IH P'); cbn [coalesce]; destruct (Z.eqb_spec n 1) as [->|N1]; [auto|].
  destruct (coalesce L) as [|[m e] R]; [cbn; repeat split; lia|].
  destruct IH as (M & C & D); destruct (Z.eqb_spec e (n * d)) as [->|E].
  - repeat split; [nia|auto|]; destruct R as [|[k f] R]; auto; intros F; apply D; rewrite F; ring.
  - repeat split; auto; lia.
Qed.

Lemma coalesce_positive L : positive L -> positive (coalesce L).
Proof. intros P; apply coalesced_positive, coalesce_coalesced; auto. Qed.

Lemma join_modes n m d R x : 1 <= n -> 1 <= m ->
  value ((n * m, d) :: R) x = (x mod n) * d + value ((m, n * d) :: R) (x / n).
Proof.
  intros N M; destruct R as [|r R].
  - cbn [value]; pose proof (Z.div_mod x n); nia.
  - rewrite !value_next by discriminate; rewrite mod_by_parts, div_by_parts by auto; ring.
Qed.

(** Coalescence, the proof: coalescing changes no value inside the size. *)
Theorem coalesce_same L : positive L -> forall x, 0 <= x < size L -> value (coalesce L) x = value L x.
Proof.
  induction L as [|[n d] L IH]; intros P x X; [reflexivity|]; destruct (positive_cons _ _ _ P) as [N P'].
  cbn [size] in X; rewrite (value_inside n d L x) by auto.
  rewrite <- IH by (auto; apply quotient_below; auto).
  pose proof (coalesce_size L) as S; pose proof (coalesce_positive L P') as Q.
  cbn [coalesce]; destruct (Z.eqb_spec n 1) as [->|N1]; [rewrite Z.mod_1_r, Z.div_1_r; lia|].
  destruct (coalesce L) as [|[m e] R].
  - cbn [size] in S; cbn [value]; rewrite Z.mod_small by lia; ring.
  - destruct (positive_cons _ _ _ Q) as [M Q']; destruct (Z.eqb_spec e (n * d)) as [->|E].
    + apply join_modes; auto.
    + apply value_next; discriminate.
Qed.

Lemma last_of_size_1 L : positive L -> size L = 1 -> fst (last L (1, 0)) = 1.
Proof.
  induction L as [|[n d] L IH]; intros P S; [reflexivity|].
  destruct (positive_cons _ _ _ P) as [N P']; pose proof (size_positive L P'); cbn [size] in S.
  destruct L as [|m L]; [cbn [last fst size] in *; lia|].
  change (last ((n, d) :: m :: L) (1, 0)) with (last (m :: L) (1, 0)); apply IH; auto; nia.
Qed.

(** Nor does it change the extension, unless the last mode has size 1. *)
Theorem coalesce_extension L : positive L -> fst (last L (1, 0)) <> 1 -> forall x, value (coalesce L) x = value L x.
Proof.
  induction L as [|[n d] L IH]; intros P E x; [reflexivity|]; destruct (positive_cons _ _ _ P) as [N P'].
  destruct L as [|m L].
  - cbn [last fst] in E; cbn [coalesce]; destruct (Z.eqb_spec n 1); [lia|reflexivity].
  - change (last ((n, d) :: m :: L) (1, 0)) with (last (m :: L) (1, 0)) in E; specialize (IH P' E).
    rewrite (value_next n d (m :: L) x) by discriminate; rewrite <- IH.
    pose proof (coalesce_positive _ P') as Q; pose proof (coalesce_size (m :: L)) as S.
    clear P; revert P' Q S IH E; generalize (m :: L); clear m L; intros L P' Q S IH E; cbn [coalesce].
    destruct (coalesce L) as [|[k e] R]; [exfalso; apply E, last_of_size_1; auto|].
    destruct (positive_cons _ _ _ Q) as [M Q'].
    destruct (Z.eqb_spec n 1) as [->|N1]; [rewrite Z.mod_1_r, Z.div_1_r; lia|].
    destruct (Z.eqb_spec e (n * d)) as [->|E']; [apply join_modes; auto|apply value_next; discriminate].
Qed.

(** The first mode of a coalesced layout ends where its function first bends. *)
Lemma first_bend n d L : coalesced ((n, d) :: L) -> n < size ((n, d) :: L) -> value ((n, d) :: L) n <> n * d.
Proof.
  intros (N & C & D) S; destruct L as [|[m e] L]; [cbn [size] in S; lia|].
  destruct C as (M & C & _); rewrite value_next by discriminate.
  rewrite Z.mod_same, Z.div_same, value_1 by lia; lia.
Qed.

(** Coalescing is unique: two coalesced layouts of one size with the same values are the same. *)
Theorem coalesced_unique L : forall K, coalesced L -> coalesced K -> size L = size K ->
  (forall x, 0 <= x < size L -> value L x = value K x) -> L = K.
Proof.
  induction L as [|[n d] L IH]; intros K C C' S V.
  - destruct K as [|k K]; [reflexivity|]; pose proof (coalesced_size (k :: K) C' ltac:(discriminate)).
    change (size []) with 1 in S; lia.
  - pose proof (coalesced_size _ C ltac:(discriminate)) as Big.
    destruct K as [|[m e] K]; [cbn [size] in *; lia|].
    assert (E : d = e).
    { pose proof (V 1 ltac:(lia)) as V1; rewrite !value_1 in V1; auto; [destruct C'; auto|destruct C; auto]. }
    subst e.
    assert (F : n = m).
    { destruct C as (N & CL & DL); destruct C' as (M & CK & DK).
      pose proof (size_positive L (coalesced_positive L CL)); pose proof (size_positive K (coalesced_positive K CK)).
      destruct (Z.lt_trichotomy n m) as [T|[T|T]]; auto; exfalso.
      - assert (B : n < size ((n, d) :: L)) by (rewrite S; cbn [size]; nia).
        apply (first_bend n d L); [repeat split; auto|exact B|]; rewrite V, value_first_mode; lia.
      - assert (B : m < size ((m, d) :: K)) by (rewrite <- S; cbn [size]; nia).
        apply (first_bend m d K); [repeat split; auto|exact B|]; rewrite <- V, value_first_mode; lia. }
    subst m; destruct C as (N & CL & _); destruct C' as (M & CK & _); f_equal; cbn [size] in S.
    assert (S' : size L = size K) by nia; apply IH; auto; intros x X.
    assert (B : 0 <= n * x < n * size L) by nia; pose proof (V (n * x) B) as W.
    rewrite !value_inside in W by (try lia; rewrite <- S'; lia).
    rewrite (Z.mul_comm n x), Z.mod_mul, Z.div_mul in W by lia; lia.
Qed.

(** So two layouts are the same function if and only if they coalesce to the same layout. *)
Theorem same_function_iff L K : positive L -> positive K -> size L = size K ->
  (forall x, 0 <= x < size L -> value L x = value K x) <-> coalesce L = coalesce K.
Proof.
  intros P Q S; split.
  - intros V; apply coalesced_unique; try (apply coalesce_coalesced; auto); rewrite ?coalesce_size; auto.
    intros x X; rewrite !coalesce_same by (auto; lia); auto.
  - intros E x X; rewrite <- (coalesce_same L P x X), E; apply coalesce_same; auto; lia.
Qed.
