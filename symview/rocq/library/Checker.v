(** Refutations checked by computation: [sv_sound], which rests on no axiom, makes a theorem of each that [sv_check] accepts.

    A claim is data, [Claim hypotheses goal], and [sv_denote] is what it says, in plain ZArith.  A refutation takes the
    hypotheses and the denial of the goal, and derives that a number below 0 is at least 0: sums of facts, signs, splits.
    What is no sum or product, such as a quotient, is an atom, which the refutation lists with what it is applied to.
    A step that is not valid adds nothing. *)
From Coq Require Import ZArith Lia List Bool FMapPositive Zeuclid.
From Symview Require Import Symview.
Import ListNotations.
Local Open Scope Z_scope.
Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.

(** * Claims, and their meaning *)
Inductive sv_op :=
  | oAdd | oSub | oMul | oNeg | oDiv | oMod | oQuot | oRem | oEdiv | oEmod | oMin | oMax | oAbs | oGcd | oCeil | oWrap
  | oFsum | oLand | oLor | oLxor | oLnot | oShl | oShr | oPow | oIf
  | oEq | oNe | oLt | oLe | oGt | oGe | oAnd | oOr | oNot | oImp | oIff.
Inductive sv_tree := tNum (z : Z) | tName (n : positive) | tBool (b : bool) | tOp (o : sv_op) (l : list sv_tree).

Definition joined {A} (f : A -> A -> A) (none : A) (l : list A) : A :=
  match l with [] => none | x :: r => fold_left f r x end.
Definition integer (o : sv_op) (l : list Z) : Z :=
  match o, l with
  | oAdd, _ => joined Z.add 0 l | oMul, _ => joined Z.mul 1 l | oMin, _ => joined Z.min 0 l
  | oMax, _ => joined Z.max 0 l | oGcd, [a] => Z.gcd a 0 | oGcd, _ => joined Z.gcd 0 l
  | oSub, [a; b] => a - b | oNeg, [a] => - a | oAbs, [a] => Z.abs a | oLnot, [a] => Z.lnot a
  | oDiv, [a; b] => a / b | oMod, [a; b] => a mod b | oQuot, [a; b] => Z.quot a b | oRem, [a; b] => Z.rem a b
  | oEdiv, [a; b] => ZEuclid.div a b | oEmod, [a; b] => ZEuclid.modulo a b | oCeil, [a; b] => ceildiv a b
  | oWrap, [a; low; size] => wrap a low size | oFsum, [n; m; a; b] => floor_sum n m a b
  | oLand, [a; b] => Z.land a b | oLor, [a; b] => Z.lor a b | oLxor, [a; b] => Z.lxor a b
  | oShl, [a; b] => Z.shiftl a b | oShr, [a; b] => Z.shiftr a b | oPow, [a; b] => a ^ b
  | _, _ => 0
  end.
Definition compares (o : sv_op) : bool :=
  match o with oEq | oNe | oLt | oLe | oGt | oGe => true | _ => false end.
Definition compared (o : sv_op) (l : list Z) : bool :=
  match o, l with
  | oEq, [a; b] => a =? b | oNe, [a; b] => negb (a =? b) | oLt, [a; b] => a <? b | oLe, [a; b] => a <=? b
  | oGt, [a; b] => a >? b | oGe, [a; b] => a >=? b | _, _ => false
  end.
Definition comparison_prop (o : sv_op) (l : list Z) : Prop :=
  match o, l with
  | oEq, [a; b] => a = b | oNe, [a; b] => a <> b | oLt, [a; b] => a < b | oLe, [a; b] => a <= b
  | oGt, [a; b] => a > b | oGe, [a; b] => a >= b | _, _ => False
  end.
Definition connected (o : sv_op) (l : list bool) : bool :=
  match o, l with
  | oAnd, _ => joined andb true l | oOr, _ => joined orb false l | oNot, [a] => negb a
  | oImp, [a; b] => negb a || b | oIff, [a; b] => Bool.eqb a b | _, _ => false
  end.
Fixpoint chained (f : Prop -> Prop -> Prop) (none : Prop) (l : list Prop) : Prop :=
  match l with [] => none | [P] => P | P :: r => f P (chained f none r) end.
Definition connected_prop (o : sv_op) (l : list Prop) : Prop :=
  match o, l with
  | oAnd, _ => chained and True l | oOr, _ => chained or False l | oNot, [P] => ~ P
  | oImp, [P; Q] => P -> Q | oIff, [P; Q] => P <-> Q | _, _ => False
  end.

Definition valued (env : list Z) (n : positive) : Z := nth (pred (Pos.to_nat n)) env 0.
Fixpoint den (env : list Z) (t : sv_tree) : Z :=
  match t with
  | tNum z => z
  | tName n => valued env n
  | tBool _ => 0
  | tOp oIf [c; a; b] => if holds_b env c then den env a else den env b
  | tOp o l => integer o (map (den env) l)
  end
with holds_b (env : list Z) (t : sv_tree) : bool :=
  match t with
  | tBool b => b
  | tOp o l => if compares o then compared o (map (den env) l) else connected o (map (holds_b env) l)
  | _ => false
  end.
Fixpoint holds_p (env : list Z) (t : sv_tree) : Prop :=
  match t with
  | tBool b => if b then True else False
  | tOp o l => if compares o then comparison_prop o (map (den env) l) else connected_prop o (map (holds_p env) l)
  | _ => False
  end.
Inductive sv_claim := Claim (hypotheses : list sv_tree) (goal : sv_tree).
Definition sv_denote (c : sv_claim) (env : list Z) : Prop :=
  let '(Claim hs g) := c in fold_right (fun h (P : Prop) => holds_p env h -> P) (holds_p env g) hs.

Fixpoint tree_ind (P : sv_tree -> Prop) (num : forall z, P (tNum z)) (name : forall n, P (tName n))
    (bool : forall b, P (tBool b)) (op : forall o l, Forall P l -> P (tOp o l)) (t : sv_tree) : P t :=
  match t with
  | tNum z => num z | tName n => name n | tBool b => bool b
  | tOp o l => op o l ((fix go l : Forall P l :=
      match l with [] => Forall_nil P | x :: r => Forall_cons x (tree_ind P num name bool op x) (go r) end) l)
  end.

Lemma joined_and l : joined andb true l = forallb id l.
Proof.
  destruct l as [|x r]; [reflexivity|]; revert x; induction r as [|y r IH]; intros x; simpl in *.
  - now rewrite andb_true_r.
  - rewrite IH; unfold id; now rewrite andb_assoc.
Qed.
Lemma joined_or l : joined orb false l = existsb id l.
Proof.
  destruct l as [|x r]; [reflexivity|]; revert x; induction r as [|y r IH]; intros x; simpl in *.
  - now rewrite orb_false_r.
  - rewrite IH; unfold id; now rewrite orb_assoc.
Qed.
Lemma chained_all l : chained and True l <-> fold_right and True l.
Proof. induction l as [|P [|Q r] IH]; simpl in *; tauto. Qed.
Lemma chained_any l : chained or False l <-> fold_right or False l.
Proof. induction l as [|P [|Q r] IH]; simpl in *; tauto. Qed.
Lemma compared_spec o l : compared o l = true <-> comparison_prop o l.
Proof.
  destruct o, l as [|a [|b [|]]]; simpl; try easy;
    rewrite ?negb_true_iff, ?Z.gtb_ltb, ?Z.geb_leb, ?Z.eqb_eq, ?Z.eqb_neq, ?Z.ltb_lt, ?Z.leb_le; lia.
Qed.
Lemma connected_spec o bs Ps :
  Forall2 (fun b P => b = true <-> P) bs Ps -> (connected o bs = true <-> connected_prop o Ps).
Proof.
  intros H; destruct o; try (destruct bs, Ps; easy); simpl.
  - rewrite joined_and, chained_all; induction H; simpl; unfold id; rewrite ?andb_true_iff; tauto.
  - rewrite joined_or, chained_any; induction H; simpl; unfold id; rewrite ?orb_true_iff; easy || tauto.
  - destruct H as [|b P ? ? E [|]]; try easy; simpl; rewrite negb_true_iff, <- E; destruct b; intuition easy.
  - destruct H as [|b P ? ? E [|c Q ? ? F [|]]]; try easy; simpl.
    rewrite <- E, <- F; destruct b, c; simpl; intuition easy.
  - destruct H as [|b P ? ? E [|c Q ? ? F [|]]]; try easy; simpl.
    rewrite <- E, <- F; destruct b, c; simpl; intuition easy.
Qed.
Lemma holds_spec env t : holds_b env t = true <-> holds_p env t.
Proof.
  induction t as [| |[]|o l IH] using tree_ind; simpl; try easy.
  destruct (compares o); [apply compared_spec|apply connected_spec].
  induction IH; constructor; auto.
Qed.

(** * Polynomials over atoms: a name [n] is the atom [n~0], the [k]-th atom of the list [k~1] *)
Inductive sv_term := Mon (c : Z) (m : list positive).
Definition sv_poly := list sv_term.  (* in normal form: sorted, no two terms alike, none 0; nothing rests on that *)
Fixpoint mono_value (v : positive -> Z) (m : list positive) : Z :=
  match m with [] => 1 | a :: r => v a * mono_value v r end.
Fixpoint eval (v : positive -> Z) (p : sv_poly) : Z :=
  match p with [] => 0 | Mon c m :: r => c * mono_value v m + eval v r end.

Fixpoint mono_compare (m n : list positive) : comparison :=
  match m, n with
  | [], [] => Eq | [], _ => Lt | _, [] => Gt
  | a :: m, b :: n => match Pos.compare a b with Eq => mono_compare m n | c => c end
  end.
Fixpoint insert (a : positive) (m : list positive) : list positive :=
  match m with [] => [a] | b :: n => if Pos.leb a b then a :: m else b :: insert a n end.
Definition const (c : Z) : sv_poly := if c =? 0 then [] else [Mon c []].
Definition opp (p : sv_poly) : sv_poly := map (fun t => let '(Mon c m) := t in Mon (- c) m) p.
Fixpoint add (p : sv_poly) : sv_poly -> sv_poly :=
  fix go q := match p, q with
  | [], _ => q | _, [] => p
  | Mon c m :: p', Mon d n :: q' =>
      match mono_compare m n with
      | Lt => Mon c m :: add p' q | Gt => Mon d n :: go q'
      | Eq => let s := c + d in if s =? 0 then add p' q' else Mon s m :: add p' q'
      end
  end.
Definition sub (p q : sv_poly) : sv_poly := add p (opp q).
Definition scaled (c : Z) (m : list positive) (q : sv_poly) : sv_poly :=
  fold_right (fun t r => let '(Mon d n) := t in add [Mon (c * d) (fold_right insert n m)] r) [] q.
Definition mul (p q : sv_poly) : sv_poly :=
  fold_right (fun t r => let '(Mon c m) := t in add (scaled c m q) r) [] p.

Lemma mono_compare_eq m n : mono_compare m n = Eq -> m = n.
Proof.
  revert n; induction m as [|a m IH]; intros [|b n]; simpl; try easy.
  destruct (Pos.compare_spec a b); try easy; intros; f_equal; auto.
Qed.
Section Values.
  Variable v : positive -> Z.
  Lemma insert_value a m : mono_value v (insert a m) = v a * mono_value v m.
  Proof. induction m as [|b m IH]; simpl in *; [|destruct (Pos.leb a b); simpl; rewrite ?IH]; ring. Qed.
  Lemma inserted_value m n : mono_value v (fold_right insert n m) = mono_value v m * mono_value v n.
  Proof. induction m; simpl; [|rewrite insert_value, IHm]; ring. Qed.
  Lemma eval_const c : eval v (const c) = c.
  Proof. unfold const; destruct (Z.eqb_spec c 0); simpl; lia. Qed.
  Lemma eval_opp p : eval v (opp p) = - eval v p.
  Proof. induction p as [|[c m] p IH]; simpl in *; rewrite ?IH; ring. Qed.
  Lemma eval_add p q : eval v (add p q) = eval v p + eval v q.
  Proof.
    revert q; induction p as [|[c m] p IH]; [destruct q; reflexivity|].
    induction q as [|[d n] q IHq]; [simpl; ring|].
    simpl; destruct (mono_compare m n) eqn:E.
    - apply mono_compare_eq in E; subst n.
      destruct (Z.eqb_spec (c + d) 0) as [S|]; simpl; rewrite IH; [|ring].
      replace d with (- c) by lia; ring.
    - simpl; rewrite IH; simpl; ring.
    - change (d * mono_value v n + eval v (add (Mon c m :: p) q) = eval v (Mon c m :: p) + eval v (Mon d n :: q)).
      rewrite IHq; simpl; ring.
  Qed.
  Lemma eval_sub p q : eval v (sub p q) = eval v p - eval v q.
  Proof. unfold sub; rewrite eval_add, eval_opp; ring. Qed.
  Lemma eval_scaled c m q : eval v (scaled c m q) = c * mono_value v m * eval v q.
  Proof.
    induction q as [|[d n] q IH]; [simpl; ring|].
    unfold scaled in *; cbn [fold_right]; rewrite eval_add, IH; simpl; rewrite inserted_value; ring.
  Qed.
  Lemma eval_mul p q : eval v (mul p q) = eval v p * eval v q.
  Proof.
    induction p as [|[c m] p IH]; [simpl; ring|].
    unfold mul in *; cbn [fold_right]; rewrite eval_add, IH, eval_scaled; simpl; ring.
  Qed.
End Values.
Global Hint Rewrite eval_const eval_opp eval_add eval_sub eval_mul : sv_eval.

(** * Atoms: each applies an operator to polynomials of names and of atoms before it *)
Inductive sv_atom := Atom (o : sv_op) (l : list sv_poly) | Choose (c : sv_tree) (p q : sv_poly).
Scheme Equality for sv_op.
Fixpoint tree_eq_dec (a b : sv_tree) {struct a} : {a = b} + {a <> b}.
Proof. decide equality; auto using Z.eq_dec, Pos.eq_dec, bool_dec, sv_op_eq_dec, (list_eq_dec tree_eq_dec). Defined.
Definition poly_eq_dec : forall p q : sv_poly, {p = q} + {p <> q}.
Proof. apply list_eq_dec; decide equality; auto using Z.eq_dec, (list_eq_dec Pos.eq_dec). Defined.
Definition atom_eq_dec (a b : sv_atom) : {a = b} + {a <> b}.
Proof. decide equality; auto using poly_eq_dec, tree_eq_dec, sv_op_eq_dec, (list_eq_dec poly_eq_dec). Defined.

Definition atom_value (env : list Z) (v : positive -> Z) (a : sv_atom) : Z :=
  match a with
  | Atom o l => integer o (map (eval v) l)
  | Choose c p q => if holds_b env c then eval v p else eval v q
  end.
Definition operands (a : sv_atom) : list sv_poly := match a with Atom _ l => l | Choose _ p q => [p; q] end.
Definition before (k : positive) (a : positive) : bool :=
  match a with xH => false | _~0 => true | j~1 => Pos.ltb j k end%positive.
Fixpoint ordered (k : positive) (atoms : list sv_atom) : bool :=
  match atoms with
  | [] => true
  | a :: r => forallb (forallb (fun t => let '(Mon _ m) := t in forallb (before k) m)) (operands a)
              && ordered (Pos.succ k) r
  end.
Fixpoint nth_atom (k : positive) (atoms : list sv_atom) (j : positive) : option sv_atom :=
  match atoms with [] => None | a :: r => if Pos.eqb j k then Some a else nth_atom (Pos.succ k) r j end.
Fixpoint number (k : positive) (atoms : list sv_atom) (a : sv_atom) : option positive :=
  match atoms with [] => None | b :: r => if atom_eq_dec b a then Some k else number (Pos.succ k) r a end.
Fixpoint extended (env : list Z) (k : positive) (atoms : list sv_atom) (v : positive -> Z) : positive -> Z :=
  match atoms with
  | [] => v
  | a :: r => let x := atom_value env v a in
              extended env (Pos.succ k) r (fun b => if Pos.eqb b (k~1)%positive then x else v b)
  end.

Lemma number_nth k atoms a j : number k atoms a = Some j -> nth_atom k atoms j = Some a /\ (k <= j)%positive.
Proof.
  revert k; induction atoms as [|b r IH]; intros k; simpl; [easy|].
  destruct (atom_eq_dec b a) as [->|]; [intros [= ->]; rewrite Pos.eqb_refl; split; [easy|lia]|].
  intros H; apply IH in H as [H L]; destruct (Pos.eqb_spec j k); [lia|split; [easy|lia]].
Qed.
Lemma nth_later k atoms j a : nth_atom k atoms j = Some a -> (k <= j)%positive.
Proof.
  revert k; induction atoms as [|b r IH]; intros k; simpl; [easy|].
  destruct (Pos.eqb_spec j k); [lia|intros H; apply IH in H; lia].
Qed.
Lemma eval_same v w k p : forallb (fun t => let '(Mon _ m) := t in forallb (before k) m) p = true ->
  (forall b, before k b = true -> v b = w b) -> eval v p = eval w p.
Proof.
  intros H A; induction p as [|[c m] p IH]; [easy|]; simpl in *; apply andb_true_iff in H as [H1 H2].
  rewrite (IH H2); f_equal; f_equal; clear IH H2.
  induction m as [|b m IH]; [easy|]; simpl in *; apply andb_true_iff in H1 as [? ?]; now rewrite A, IH.
Qed.
Lemma atom_same env v w k a :
  forallb (forallb (fun t => let '(Mon _ m) := t in forallb (before k) m)) (operands a) = true ->
  (forall b, before k b = true -> v b = w b) -> atom_value env v a = atom_value env w a.
Proof.
  intros H A; destruct a as [o l|c p q]; simpl in *.
  - f_equal; induction l as [|p l IH]; [easy|]; simpl in *; apply andb_true_iff in H as [? ?]; f_equal; auto.
    eapply eval_same; eauto.
  - rewrite !andb_true_iff in H; destruct H as (? & ? & _).
    rewrite (eval_same v w k p), (eval_same v w k q); auto.
Qed.
Lemma extended_before env k atoms v b : before k b = true -> extended env k atoms v b = v b.
Proof.
  revert k v; induction atoms as [|a r IH]; intros k v H; cbn [extended]; [easy|].
  rewrite IH by (destruct b; simpl in *; rewrite ?Pos.ltb_lt in *; auto; lia).
  cbv beta; destruct (Pos.eqb_spec b (k~1)) as [->|]; [simpl in H; rewrite Pos.ltb_lt in H; lia|easy].
Qed.
Lemma extended_nth env k atoms v j a : ordered k atoms = true -> nth_atom k atoms j = Some a ->
  extended env k atoms v (j~1)%positive = atom_value env (extended env k atoms v) a.
Proof.
  revert k v; induction atoms as [|b r IH]; intros k v O N; cbn [extended ordered nth_atom] in *; [easy|].
  apply andb_true_iff in O as [O1 O2]; destruct (Pos.eqb_spec j k) as [->|D].
  - injection N as <-.
    rewrite extended_before by (simpl; apply Pos.ltb_lt; lia); cbv beta; rewrite Pos.eqb_refl.
    apply (atom_same env _ _ k); auto; intros c C.
    rewrite extended_before by (destruct c; simpl in *; rewrite ?Pos.ltb_lt in *; auto; lia).
    cbv beta; destruct (Pos.eqb_spec c (k~1)) as [->|]; [simpl in C; rewrite Pos.ltb_lt in C; lia|easy].
  - apply IH; auto.
Qed.

(** * Known facts: polynomials that are 0, or at least 0, and choices of which one alternative holds *)
Inductive sv_known := Fact (p : sv_poly) (zero : bool) | Choice (alternatives : list (list sv_known)).
Fixpoint true_of (v : positive -> Z) (k : sv_known) : Prop :=
  match k with
  | Fact p zero => if zero then eval v p = 0 else 0 <= eval v p
  | Choice l => fold_right or False (map (fun a => fold_right and True (map (true_of v) a)) l)
  end.
Definition all_true (v : positive -> Z) (l : list sv_known) : Prop := fold_right and True (map (true_of v) l).
Definition one_true (v : positive -> Z) (l : list (list sv_known)) : Prop := fold_right or False (map (all_true v) l).

Definition absurd : sv_known := Fact [Mon (-1) []] false.
Definition is_absurd (k : sv_known) : bool :=
  match k with Fact [Mon c []] false => c =? -1 | _ => false end.
Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.
Definition fact (p : sv_poly) (zero : bool) : list sv_known :=
  match p with
  | [] => []
  | [Mon c []] => if (c <? 0) || (zero && negb (c =? 0)) then [absurd] else []
  | _ => [Fact p zero]
  end.
Definition either (found : list (list sv_known)) : list sv_known :=
  let left := filter (fun l => negb (existsb is_absurd l)) found in
  if existsb is_nil left then [] else match left with [] => [absurd] | [l] => l | _ => [Choice left] end.
Definition denied (o : sv_op) : sv_op :=
  match o with oEq => oNe | oNe => oEq | oLt => oGe | oGe => oLt | oLe => oGt | oGt => oLe | _ => o end.
Definition said (o : sv_op) (p q : sv_poly) : list sv_known :=
  let d := sub p q in
  match o with
  | oEq => fact d true | oLe => fact (opp d) false | oGe => fact d false
  | oLt => fact (sub [Mon (-1) []] d) false | oGt => fact (add d [Mon (-1) []]) false
  | oNe => either [fact (add d [Mon (-1) []]) false; fact (sub [Mon (-1) []] d) false]
  | _ => []
  end.

(** * Reading trees, given the atoms *)
Section Reading.
  Variable atoms : list sv_atom.
  Definition atom (a : sv_atom) : option sv_poly :=
    option_map (fun k => [Mon 1 [k~1]])%positive (number 1 atoms a).
  Definition quotient (o : sv_op) (p q : sv_poly) : option sv_poly := atom (Atom o [p; q]).
  Definition remainder (o : sv_op) (p q : sv_poly) : option sv_poly :=
    option_map (fun x => sub p (mul x q)) (quotient o p q).
  Definition small_power (t : sv_tree) : option nat :=
    match t with tNum n => if (0 <=? n) && (n <? 65) then Some (Z.to_nat n) else None | _ => None end.
  Definition ones (t : sv_tree) : option Z :=  (* n, of 2 ^ n - 1 *)
    match t with
    | tNum z => let n := Z.log2 (z + 1) in if (0 <? z) && (z =? Z.ones n) then Some n else None
    | _ => None
    end.
  (** The polynomial of an operator of polynomials; [l] are the same operands, as trees. *)
  Definition applied (o : sv_op) (l : list sv_tree) (ps : list sv_poly) : option sv_poly :=
    match o, ps with
    | oAdd, _ => Some (joined add [] ps) | oMul, _ => Some (joined mul (const 1) ps)
    | oSub, [p; q] => Some (sub p q) | oNeg, [p] => Some (opp p) | oLnot, [p] => Some (sub (const (-1)) p)
    | oAbs, [p] => atom (Atom oMax [p; opp p])
    | oMod, [p; q] => remainder oDiv p q | oRem, [p; q] => remainder oQuot p q | oEmod, [p; q] => remainder oEdiv p q
    | oCeil, [p; q] => option_map opp (quotient oDiv (opp p) q)
    | oWrap, [p; low; size] => option_map (fun x => add x low) (remainder oDiv (sub p low) size)
    | oPow, [p; _] =>
        match small_power (nth 1 l (tBool true)) with
        | Some n => Some (Nat.iter n (fun x => mul x p) (const 1)) | None => atom (Atom o ps)
        end
    | oLand, [p; _] =>
        match ones (nth 1 l (tBool true)) with
        | Some n => remainder oDiv p (const (2 ^ n)) | None => atom (Atom o ps)
        end
    | _, _ => atom (Atom o ps)
    end.
  Fixpoint sequence {A} (l : list (option A)) : option (list A) :=
    match l with [] => Some [] | Some x :: r => option_map (cons x) (sequence r) | None :: _ => None end.
  Fixpoint poly (t : sv_tree) : option sv_poly :=
    match t with
    | tNum z => Some (const z)
    | tName n => Some [Mon 1 [n~0]]%positive
    | tBool _ => None
    | tOp oIf [c; a; b] =>
        match poly a, poly b with Some p, Some q => atom (Choose c p q) | _, _ => None end
    | tOp oIf _ => None
    | tOp o l => match sequence (map poly l) with Some ps => applied o l ps | None => None end
    end.
  (** The facts of a formula, or of its negation. *)
  Fixpoint parts (so : bool) (t : sv_tree) : list sv_known :=
    match t with
    | tBool b => if Bool.eqb b so then [] else [absurd]
    | tOp oAnd l => (if so then @concat _ else either) (map (parts so) l)
    | tOp oOr l => (if so then either else @concat _) (map (parts so) l)
    | tOp oNot [a] => parts (negb so) a
    | tOp oImp [a; b] => (if so then either else @concat _) [parts (negb so) a; parts so b]
    | tOp oIff [a; b] =>
        if so then either [parts true a ++ parts true b; parts false a ++ parts false b]
        else either [parts false a; parts false b] ++ either [parts true a; parts true b]
    | tOp o [a; b] =>
        match poly a, poly b with Some p, Some q => said (if so then o else denied o) p q | _, _ => [] end
    | _ => []
    end.
  (** The facts that define the atom [m]. *)
  Definition defined (m : sv_poly) (a : sv_atom) : list sv_known :=
    let divided signs p q :=
      let left := sub p (mul m q) in
      either (said oEq q [] :: map (fun '(sign, (s, t)) =>
        (if sign : bool then said oLe [] (mul (const t) p) else [])
        ++ said oLe [] (mul (const t) left) ++ said oLt (mul (const t) left) (mul (const s) q)) signs) in
    match a with
    | Atom oDiv [p; q] => divided [(false, (1, 1)); (false, (-1, -1))] p q
    | Atom oEdiv [p; q] => divided [(false, (1, 1)); (false, (-1, 1))] p q
    | Atom oQuot [p; q] => divided [(true, (1, 1)); (true, (1, -1)); (true, (-1, 1)); (true, (-1, -1))] p q
    | Atom oMin ((_ :: _) as l) => either (map (said oEq m) l) ++ concat (map (said oLe m) l)
    | Atom oMax ((_ :: _) as l) => either (map (said oEq m) l) ++ concat (map (said oGe m) l)
    | Choose c p q => either [parts true c ++ said oEq m p; parts false c ++ said oEq m q]
    | _ => []
    end.
End Reading.

(** * Refutations *)
Inductive sv_step :=
  | Given (n : nat)  (* a hypothesis, or, as the last one, the negation of the goal *)
  | Define (k : positive)  (* the definition of an atom *)
  | Sum (l : list (sv_poly * list positive))  (* the sum of factors times facts *)
  | Sign (p : sv_poly).
(** Steps; then a choice, and a refutation of each of its alternatives. *)
Inductive sv_ref := Ref (steps : list sv_step) (choice : positive) (cases : list sv_ref).
Inductive sv_proof := Refutation (atoms : list sv_atom) (r : sv_ref).
Inductive sv_state := Known (next : positive) (facts : PositiveMap.t sv_known) | Closed.

(** A fact with its coefficients divided by their common divisor; None if it is contradictory. *)
Definition noted (p : sv_poly) (zero : bool) : option sv_poly :=
  let '(c, r) := match p with Mon c [] :: r => (c, r) | _ => (0, p) end in
  let g := fold_right (fun t g => let '(Mon d _) := t in Z.gcd d g) 0 r in
  if is_nil r then if (c <? 0) || (zero && negb (c =? 0)) then None else Some p
  else if g <=? 0 then Some p
  else if zero && negb (c mod g =? 0) then None
  else Some (add (const (c / g)) (map (fun t => let '(Mon d m) := t in Mon (d / g) m) r)).
Definition note (k : sv_known) (s : sv_state) : sv_state :=
  match s with
  | Closed => Closed
  | Known n m =>
      match k with
      | Fact p zero =>
          match noted p zero with Some q => Known (Pos.succ n) (PositiveMap.add n (Fact q zero) m) | None => Closed end
      | Choice _ => Known (Pos.succ n) (PositiveMap.add n k m)
      end
  end.
Definition notes (l : list sv_known) (s : sv_state) : sv_state := fold_left (fun s k => note k s) l s.
Fixpoint product (m : PositiveMap.t sv_known) (p : sv_poly) (zero : bool) (l : list positive) : option (sv_poly * bool) :=
  match l with
  | [] => Some (p, zero)
  | k :: l => match PositiveMap.find k m with
              | Some (Fact q z) => product m (mul p q) (zero || z) l | _ => None
              end
  end.
Definition not_negative (p : sv_poly) : bool :=
  match p with [] => true | [Mon c []] => 0 <=? c | _ => false end.
Fixpoint summed (m : PositiveMap.t sv_known) (l : list (sv_poly * list positive)) : option (sv_poly * bool) :=
  match l with
  | [] => Some ([], true)
  | (f, ks) :: l =>
      match product m [Mon 1 []] false ks, summed m l with
      | Some (p, z), Some (q, y) => if z || not_negative f then Some (add (mul f p) q, z && y) else None
      | _, _ => None
      end
  end.
Definition step (hs : list sv_tree) (atoms : list sv_atom) (s : sv_state) (t : sv_step) : sv_state :=
  match s with
  | Closed => Closed
  | Known n m =>
      match t with
      | Given k => match nth_error hs k with Some h => notes (parts atoms true h) s | None => s end
      | Define k => match nth_atom 1 atoms k with
                    | Some a => notes (defined atoms [Mon 1 [k~1]]%positive a) s | None => s
                    end
      | Sum l => match summed m l with Some (p, zero) => note (Fact p zero) s | None => s end
      | Sign p => note (Choice [[Fact (add p [Mon (-1) []]) false]; [Fact p true]; [Fact (sub [Mon (-1) []] p) false]]) s
      end
  end.
Fixpoint refuted (hs : list sv_tree) (atoms : list sv_atom) (s : sv_state) (r : sv_ref) : bool :=
  let '(Ref steps k cases) := r in
  match fold_left (step hs atoms) steps s with
  | Closed => true
  | Known n m as s =>
      match PositiveMap.find k m with
      | Some (Choice l) =>
          (fix go l cases {struct cases} := match l, cases with
             | [], [] => true | a :: l, c :: cases => refuted hs atoms (notes a s) c && go l cases | _, _ => false
             end) l cases
      | _ => false
      end
  end.
Definition sv_check (c : sv_claim) (p : sv_proof) : bool :=
  let '(Claim hs g) := c in
  let '(Refutation atoms r) := p in
  ordered 1 atoms && refuted (hs ++ [tOp oNot [g]]) atoms (Known 1 (PositiveMap.empty _)) r.

(** * Soundness *)
Ltac sv_values := repeat (rewrite ?eval_add, ?eval_sub, ?eval_mul, ?eval_opp, ?eval_const in * ); simpl eval in *;
  simpl mono_value in *.
Section Facts.
  Variable v : positive -> Z.
  Lemma all_app l k : all_true v (l ++ k) <-> all_true v l /\ all_true v k.
  Proof. unfold all_true; induction l; simpl; tauto. Qed.
  Lemma all_concat l : fold_right and True (map (all_true v) l) -> all_true v (concat l).
  Proof. induction l; simpl; [easy|]; rewrite all_app; tauto. Qed.
  Lemma absurd_false l : existsb is_absurd l = true -> ~ all_true v l.
  Proof.
    rewrite existsb_exists; intros (k & I & A) H.
    assert (N : ~ true_of v k).
    { destruct k as [[|[c []] []] []|]; try easy; simpl in *; rewrite Z.eqb_eq in A; lia. }
    unfold all_true in H; induction l as [|x l IH]; [easy|]; destruct H as [Hx H], I as [->|I]; auto.
  Qed.
  Lemma either_true l : one_true v l -> all_true v (either l).
  Proof.
    intros H; unfold either; set (left := filter _ l).
    assert (E : one_true v left).
    { subst left; unfold one_true in *; induction l as [|a l IH]; [easy|]; simpl in *; destruct H as [H|H].
      - destruct (existsb is_absurd a) eqn:E; [now apply absurd_false in E|simpl; now left].
      - destruct (negb _); simpl; auto. }
    destruct (existsb is_nil left); [easy|]; destruct left as [|a [|b left]]; [easy| |exact (conj E I)].
    destruct E as [E|[]]; exact E.
  Qed.
  Lemma fact_true p (zero : bool) : (if zero then eval v p = 0 else 0 <= eval v p) -> all_true v (fact p zero).
  Proof.
    intros H; destruct p as [|[c [|b m]] [|u p]]; try exact I; try exact (conj H I); unfold fact.
    destruct (_ || _) eqn:E; [|easy]; apply orb_true_iff in E; rewrite Z.ltb_lt, andb_true_iff in E.
    rewrite negb_true_iff, Z.eqb_neq in E; destruct zero; simpl in *; destruct E as [|[]]; easy || lia.
  Qed.
  Lemma said_true o p q : comparison_prop o [eval v p; eval v q] -> all_true v (said o p q).
  Proof.
    destruct o; simpl; try easy; intros H; try (apply fact_true; sv_values; lia).
    apply either_true; destruct (Z.lt_gt_cases (eval v p) (eval v q)) as [C _].
    destruct (C H); [right; left|left]; apply fact_true; sv_values; lia.
  Qed.
  Lemma denied_said o p q : compares o = true -> compared o [eval v p; eval v q] = false ->
    all_true v (said (denied o) p q).
  Proof.
    intros O H; apply said_true; destruct o; try easy; simpl in *;
      rewrite ?negb_false_iff, ?Z.gtb_ltb, ?Z.geb_leb, ?Z.eqb_eq, ?Z.eqb_neq, ?Z.ltb_nlt, ?Z.leb_nle in H; lia.
  Qed.
End Facts.

Section Meaning.
  Variables (env : list Z) (atoms : list sv_atom) (v : positive -> Z).
  Hypothesis names : forall n, v (n~0)%positive = valued env n.
  Hypothesis values : forall k a, nth_atom 1 atoms k = Some a -> v (k~1)%positive = atom_value env v a.

  Lemma atom_eval a p : atom atoms a = Some p -> eval v p = atom_value env v a.
  Proof.
    unfold atom; destruct (number 1 atoms a) as [k|] eqn:E; [|easy]; intros [= <-].
    apply number_nth in E as [E _]; simpl; rewrite (values _ _ E); ring.
  Qed.
  Lemma quotient_eval o p q x : quotient atoms o p q = Some x -> eval v x = integer o [eval v p; eval v q].
  Proof. apply atom_eval. Qed.
  Lemma remainder_eval o p q x : remainder atoms o p q = Some x ->
    eval v x = eval v p - eval v q * integer o [eval v p; eval v q].
  Proof.
    unfold remainder; destruct (quotient atoms o p q) as [y|] eqn:E; [|easy]; intros [= <-].
    apply quotient_eval in E; sv_values; rewrite E; ring.
  Qed.
  Lemma joined_eval f g none ps : (forall p q, eval v (f p q) = g (eval v p) (eval v q)) ->
    eval v (joined f none ps) = joined g (eval v none) (map (eval v) ps).
  Proof.
    intros H; destruct ps as [|p r]; [easy|]; simpl; revert p; induction r as [|q r IH]; intros p; simpl; [easy|].
    now rewrite IH, H.
  Qed.
  Lemma small_power_eval t n : small_power t = Some n -> den env t = Z.of_nat n.
  Proof.
    destruct t; try easy; simpl; destruct (_ && _) eqn:E; [|easy]; intros [= <-].
    rewrite andb_true_iff, Z.leb_le in E; lia.
  Qed.
  Lemma ones_eval t n : ones t = Some n -> den env t = Z.ones n /\ 0 <= n.
  Proof.
    destruct t; try easy; cbn [ones den]; cbv zeta; destruct (_ && _) eqn:E; [|easy]; intros [= <-].
    rewrite andb_true_iff, Z.eqb_eq in E; split; [easy|apply Z.log2_nonneg].
  Qed.
  Lemma power_eval p n : eval v (Nat.iter n (fun x => mul x p) (const 1)) = eval v p ^ Z.of_nat n.
  Proof.
    induction n; simpl Nat.iter; [now rewrite eval_const|].
    rewrite eval_mul, IHn, Nat2Z.inj_succ, Z.pow_succ_r by lia; ring.
  Qed.
  Lemma applied_eval o l ps p : applied atoms o l ps = Some p -> map (den env) l = map (eval v) ps ->
    o <> oIf -> eval v p = integer o (map (den env) l).
  Proof.
    intros H E O; rewrite E; destruct o; try easy; try exact (atom_eval _ _ H).
    - injection H as <-; apply (joined_eval add Z.add); intros; apply eval_add.
    - destruct ps as [|a [|b []]]; try exact (atom_eval _ _ H); injection H as <-; apply eval_sub.
    - injection H as <-; rewrite (joined_eval mul Z.mul), eval_const by (intros; apply eval_mul); easy.
    - destruct ps as [|a []]; try exact (atom_eval _ _ H); injection H as <-; apply eval_opp.
    - destruct ps as [|a [|b []]]; try exact (atom_eval _ _ H); apply remainder_eval in H; rewrite H.
      symmetry; apply sv_mod.
    - destruct ps as [|a [|b []]]; try exact (atom_eval _ _ H); apply remainder_eval in H; rewrite H.
      symmetry; apply sv_rem.
    - destruct ps as [|a [|b []]]; try exact (atom_eval _ _ H); apply remainder_eval in H; rewrite H.
      symmetry; apply sv_emod.
    - destruct ps as [|a []]; try exact (atom_eval _ _ H); apply atom_eval in H; rewrite H; simpl.
      rewrite eval_opp; lia.
    - destruct ps as [|a [|b []]]; try exact (atom_eval _ _ H); unfold applied in H.
      destruct (quotient _ _ _ _) as [x|] eqn:Q in H; [|easy]; apply quotient_eval in Q; injection H as <-.
      simpl in *; rewrite !eval_opp in *; unfold ceildiv; now rewrite Q.
    - destruct ps as [|a [|low [|size []]]]; try exact (atom_eval _ _ H); unfold applied in H.
      destruct (remainder _ _ _ _) as [x|] eqn:Q in H; [|easy]; apply remainder_eval in Q; injection H as <-.
      simpl in *; rewrite eval_add, Q, eval_sub; unfold wrap; now rewrite sv_mod.
    - destruct ps as [|a [|b []]], l as [|w [|t []]]; try easy; try exact (atom_eval _ _ H); simpl in *.
      destruct (ones t) as [n|] eqn:Q; [|exact (atom_eval _ _ H)]; apply ones_eval in Q as [Q N].
      injection E as _ E; rewrite <- E, Q, Z.land_ones by easy.
      apply remainder_eval in H; rewrite H, eval_const; symmetry; apply sv_mod.
    - destruct ps as [|a []]; try exact (atom_eval _ _ H); injection H as <-.
      rewrite eval_sub, eval_const; cbn [map integer]; unfold Z.lnot; lia.
    - destruct ps as [|a [|b []]], l as [|w [|t []]]; try easy; try exact (atom_eval _ _ H); simpl in *.
      destruct (small_power t) as [n|] eqn:Q; [|exact (atom_eval _ _ H)]; apply small_power_eval in Q.
      injection E as _ E; rewrite <- E, Q; injection H as <-; apply power_eval.
  Qed.
  Lemma sequence_map {A} (l : list (option A)) k : sequence l = Some k -> l = map Some k.
  Proof.
    revert k; induction l as [|[x|] l IH]; simpl; try easy; [intros ? [= <-]; easy|].
    destruct (sequence l); [|easy]; intros ? [= <-]; simpl; f_equal; auto.
  Qed.
  Lemma poly_eval t : forall p, poly atoms t = Some p -> eval v p = den env t.
  Proof.
    induction t as [z|n|b|o l IH] using tree_ind; intros p H; try easy.
    - injection H as <-; apply eval_const.
    - injection H as <-; simpl; rewrite names; ring.
    - destruct (sv_op_eq_dec o oIf) as [->|O].
      + destruct l as [|c [|a [|b []]]]; try easy; simpl in *.
        destruct (poly atoms a) as [x|] eqn:Ex, (poly atoms b) as [y|] eqn:Ey; try easy.
        inversion_clear IH as [|? ? _ J]; inversion_clear J as [|? ? Ha K]; inversion_clear K as [|? ? Hb _].
        apply atom_eval in H; rewrite H; simpl; rewrite (Ha _ Ex), (Hb _ Ey); reflexivity.
      + assert (S : exists ps, sequence (map (poly atoms) l) = Some ps /\ applied atoms o l ps = Some p).
        { destruct o; try easy; simpl in H; destruct (sequence _) as [ps|]; try easy; now exists ps. }
        destruct S as (ps & Q & A); apply sequence_map in Q.
        assert (E : map (den env) l = map (eval v) ps).
        { clear H A; revert ps Q; induction IH as [|x l Hx _ J]; intros [|q ps] Q; try easy.
          injection Q as S1 S2; simpl; f_equal; [symmetry; auto|auto]. }
        rewrite (applied_eval _ _ _ _ A E O); destruct o; easy.
  Qed.
  Lemma forall_parts so l : Forall (fun t => forall s, holds_b env t = s -> all_true v (parts atoms s t)) l ->
    forallb id (map (fun b => Bool.eqb b so) (map (holds_b env) l)) = true ->
    all_true v (concat (map (parts atoms so) l)).
  Proof.
    intros F H; apply all_concat; induction F as [|t l Ht _ IH]; [easy|]; simpl in *.
    apply andb_true_iff in H as [H1 H2]; split; [apply Ht, Bool.eqb_prop, H1|auto].
  Qed.
  Lemma exists_parts so l : Forall (fun t => forall s, holds_b env t = s -> all_true v (parts atoms s t)) l ->
    existsb id (map (fun b => Bool.eqb b so) (map (holds_b env) l)) = true ->
    all_true v (either (map (parts atoms so) l)).
  Proof.
    intros F H; apply either_true; unfold one_true; induction F as [|t l Ht _ IH]; [easy|]; simpl in *.
    apply orb_true_iff in H as [H|H]; [left; apply Ht, Bool.eqb_prop, H|auto].
  Qed.
  Lemma same_true l : map (fun b => Bool.eqb b true) l = l.
  Proof. induction l as [|[]]; simpl; congruence. Qed.
  Lemma forallb_not l : forallb id (map (fun b => Bool.eqb b false) l) = negb (existsb id l).
  Proof. induction l as [|[]]; simpl in *; auto. Qed.
  Lemma existsb_not l : existsb id (map (fun b => Bool.eqb b false) l) = negb (forallb id l).
  Proof. induction l as [|[]]; simpl in *; auto. Qed.
  Lemma parts_true t : forall so, holds_b env t = so -> all_true v (parts atoms so t).
  Proof.
    induction t as [| |b|o l IH] using tree_ind; intros so H; try easy.
    - simpl in *; subst; now rewrite Bool.eqb_reflx.
    - destruct (compares o) eqn:C.
      + assert (P : parts atoms so (tOp o l) = match l with
          | [a; b] => match poly atoms a, poly atoms b with
                      | Some p, Some q => said (if so then o else denied o) p q | _, _ => [] end
          | _ => [] end) by (destruct o; easy).
        rewrite P; clear P; destruct l as [|a [|b []]]; try easy.
        destruct (poly atoms a) as [p|] eqn:Ep, (poly atoms b) as [q|] eqn:Eq; try easy.
        simpl in H; rewrite C in H; apply poly_eval in Ep, Eq; rewrite <- Ep, <- Eq in H.
        destruct so; [apply said_true, compared_spec, H|now apply denied_said].
      + simpl in H; rewrite C in H; destruct o; try easy; simpl in *;
          try (destruct l as [|a [|b []]]; try easy; destruct (poly atoms a), (poly atoms b), so; easy).
        * rewrite joined_and in H; destruct so; [apply forall_parts|apply exists_parts]; auto.
          { now rewrite same_true. } { now rewrite existsb_not, H. }
        * rewrite joined_or in H; destruct so; [apply exists_parts|apply forall_parts]; auto.
          { now rewrite same_true. } { now rewrite forallb_not, H. }
        * destruct l as [|a [|b []]]; try easy; [|now destruct (poly atoms a), (poly atoms b), so].
          inversion_clear IH as [|? ? Ha _]; apply Ha.
          simpl in H; rewrite <- H; now rewrite negb_involutive.
        * destruct l as [|a [|b []]]; try easy.
          inversion_clear IH as [|? ? Ha J]; inversion_clear J as [|? ? Hb _]; simpl in H.
          specialize (Ha _ eq_refl); specialize (Hb _ eq_refl).
          destruct so; [apply either_true|apply all_concat]; unfold one_true; simpl;
            destruct (holds_b env a), (holds_b env b); easy || tauto.
        * destruct l as [|a [|b []]]; try easy.
          inversion_clear IH as [|? ? Ha J]; inversion_clear J as [|? ? Hb _]; simpl in H.
          specialize (Ha _ eq_refl); specialize (Hb _ eq_refl).
          destruct so; [apply either_true; unfold one_true; simpl; rewrite !all_app|rewrite all_app; split; apply either_true]; unfold one_true; simpl;
            destruct (holds_b env a), (holds_b env b); easy || tauto.
  Qed.
  Lemma each_said o m l : (forall p, In p l -> comparison_prop o [eval v m; eval v p]) ->
    all_true v (concat (map (said o m) l)).
  Proof.
    intros H; apply all_concat; induction l as [|p l IH]; [easy|]; split; [apply said_true, H; now left|].
    apply IH; intros; apply H; now right.
  Qed.
  Lemma one_said m l : In (eval v m) (map (eval v) l) -> all_true v (either (map (said oEq m) l)).
  Proof.
    intros H; apply either_true; unfold one_true; induction l as [|p l IH]; [easy|].
    destruct H as [H|H]; [left; now apply said_true|right; auto].
  Qed.
  Lemma joined_chosen (f : Z -> Z -> Z) (le : Z -> Z -> Prop) l : l <> [] ->
    (forall a, le a a) -> (forall a b c, le a b -> le b c -> le a c) ->
    (forall a b, f a b = a \/ f a b = b) -> (forall a b, le (f a b) a) -> (forall a b, le (f a b) b) ->
    In (joined f 0 l) l /\ forall x, In x l -> le (joined f 0 l) x.
  Proof.
    intros N R T C A B; destruct l as [|a l]; [easy|]; clear N; simpl; revert a.
    induction l as [|b l IH]; intros a; simpl; [split; auto; intros x [->|[]]; auto|].
    destruct (IH (f a b)) as [I L]; split.
    - destruct I as [I|I]; auto; destruct (C a b) as [E|E]; rewrite E in *; auto.
    - intros x [<-|[<-|H]]; [eapply T; [|apply (A a b)]|eapply T; [|apply (B a b)]|]; apply L; simpl; auto.
  Qed.
  Ltac sv_case H := unfold one_true; cbn [map fold_right app];
    rewrite ?all_app; repeat split; try exact I; apply said_true; sv_values; simpl comparison_prop; lia.
  Lemma defined_true a m : eval v m = atom_value env v a -> all_true v (defined atoms m a).
  Proof.
    intros H; destruct a as [o l|c p q].
    - destruct o; try easy; cbn [atom_value] in H.
      + destruct l as [|p [|q []]]; try easy; simpl in H; unfold defined; apply either_true.
        destruct (sv_floor (eval v p) (eval v q)) as [E|[E|E]]; rewrite <- ?H in E;
          [left; apply said_true; simpl; exact E|right; left; sv_case E|right; right; left; sv_case E].
      + destruct l as [|p [|q []]]; try easy; simpl in H; unfold defined; apply either_true.
        destruct (sv_trunc (eval v p) (eval v q)) as [E|[E|E]]; rewrite <- ?H in E;
          [left; apply said_true; simpl; exact E| |]; destruct (Z.le_ge_cases 0 (eval v q));
          [right; left|right; right; right; left|right; right; left|right; right; right; right; left]; sv_case E.
      + destruct l as [|p [|q []]]; try easy; simpl in H; unfold defined; apply either_true.
        destruct (sv_euclid (eval v p) (eval v q)) as [E|E]; rewrite <- ?H in E;
          [left; apply said_true; simpl; exact E|]; destruct (Z.le_ge_cases 0 (eval v q));
          [right; left|right; right; left]; sv_case E.
      + destruct l as [|p l]; [easy|]; unfold defined; rewrite all_app.
        destruct (joined_chosen Z.min Z.le (map (eval v) (p :: l))) as [A B]; try easy; try (intros; lia).
        split; [apply one_said; rewrite H; exact A|apply each_said].
        intros x X; simpl; rewrite H; apply B, in_map, X.
      + destruct l as [|p l]; [easy|]; unfold defined; rewrite all_app.
        destruct (joined_chosen Z.max Z.ge (map (eval v) (p :: l))) as [A B]; try easy; try (intros; lia).
        split; [apply one_said; rewrite H; exact A|apply each_said].
        intros x X; simpl; rewrite H; apply B, in_map, X.
    - apply either_true; unfold one_true; cbn [map fold_right atom_value] in *; rewrite !all_app.
      destruct (holds_b env c) eqn:E; [left|right; left]; split; auto using parts_true, said_true.
  Qed.

  Definition good (s : sv_state) : Prop :=
    match s with Closed => False | Known n m => forall k x, PositiveMap.find k m = Some x -> true_of v x end.
  Lemma gcd_divides (r : sv_poly) c m : In (Mon c m) r ->
    (fold_right (fun t g => let '(Mon d _) := t in Z.gcd d g) 0 r | c).
  Proof.
    induction r as [|[d n] r IH]; [easy|]; intros [[= -> ->]|H]; simpl; [apply Z.gcd_divide_l|].
    eapply Z.divide_trans; [apply Z.gcd_divide_r|auto].
  Qed.
  Lemma divided_eval g r : 0 < g -> (forall c m, In (Mon c m) r -> (g | c)) ->
    eval v r = g * eval v (map (fun t => let '(Mon d m) := t in Mon (d / g) m) r).
  Proof.
    intros G H; induction r as [|[d n] r IH]; simpl; [ring|].
    rewrite IH by (intros; eapply H; right; eauto); destruct (H d n (or_introl eq_refl)) as [x ->].
    rewrite Z.div_mul by lia; ring.
  Qed.
  Lemma noted_true p (zero : bool) : (if zero then eval v p = 0 else 0 <= eval v p) ->
    match noted p zero with Some q => if zero then eval v q = 0 else 0 <= eval v q | None => False end.
  Proof.
    intros H; unfold noted.
    set (split := match p with Mon c [] :: r => (c, r) | _ => (0, p) end).
    assert (E : eval v p = fst split + eval v (snd split)) by
      (destruct p as [|[c [|a m]] r]; simpl; ring).
    destruct split as [c r]; simpl in E.
    destruct r as [|t r]; simpl is_nil; cbv iota.
    - destruct (_ || _) eqn:B; [|exact H]; simpl in E.
      apply orb_true_iff in B; rewrite Z.ltb_lt, andb_true_iff, negb_true_iff, Z.eqb_neq in B.
      destruct zero; destruct B as [|[]]; easy || lia.
    - pose proof (gcd_divides (t :: r)) as D; set (g := fold_right _ 0 (t :: r)) in *.
      destruct (Z.leb_spec g 0) as [|G]; [exact H|].
      rewrite (divided_eval g (t :: r) G D) in E.
      set (q := map _ (t :: r)) in *; set (x := eval v q) in *; clearbody g.
      destruct zero; cbn [andb].
      + destruct (Z.eqb_spec (c mod g) 0) as [M|M]; cbn [negb].
        * rewrite eval_add, eval_const; fold x; apply Z.mod_divide in M as [y ->]; [|lia].
          rewrite Z.div_mul by lia; nia.
        * apply M; replace c with ((- x) * g) by nia; apply Z.mod_mul; lia.
      + rewrite eval_add, eval_const; fold x; pose proof (Z.div_mod c g); pose proof (Z.mod_pos_bound c g); nia.
  Qed.
  Lemma note_good k s : good s -> true_of v k -> good (note k s).
  Proof.
    destruct s as [n m|]; [|easy]; intros G K.
    assert (A : forall x, true_of v x -> good (Known (Pos.succ n) (PositiveMap.add n x m))).
    { intros x X j y; destruct (Pos.eq_dec j n) as [->|D].
      - rewrite PositiveMap.gss; now intros [= <-].
      - rewrite PositiveMap.gso by easy; apply G. }
    destruct k as [p zero|l]; simpl; [|now apply A]; simpl in K.
    apply noted_true in K; destruct (noted p zero); [apply A, K|easy].
  Qed.
  Lemma notes_good l s : good s -> all_true v l -> good (notes l s).
  Proof.
    revert s; induction l as [|k l IH]; intros s G A; [exact G|]; destruct A.
    apply IH; [now apply note_good|easy].
  Qed.
  Lemma product_true n m l : good (Known n m) -> forall p (z : bool) q y,
    product m p z l = Some (q, y) -> (if z then eval v p = 0 else 0 <= eval v p) ->
    if y then eval v q = 0 else 0 <= eval v q.
  Proof.
    intros G; induction l as [|k l IH]; intros p z q y; cbn [product]; [now intros [= <- <-]|].
    destruct (PositiveMap.find k m) as [[f x|]|] eqn:E; try easy; apply G in E; simpl in E.
    intros H P; eapply IH; [exact H|]; rewrite eval_mul; destruct z, x; simpl; nia.
  Qed.
  Lemma not_negative_true p : not_negative p = true -> 0 <= eval v p.
  Proof. destruct p as [|[c [|]] []]; try easy; simpl; rewrite ?Z.leb_le; lia. Qed.
  Lemma summed_true n m l : good (Known n m) -> forall p (z : bool), summed m l = Some (p, z) ->
    if z then eval v p = 0 else 0 <= eval v p.
  Proof.
    intros G; induction l as [|[f ks] l IH]; intros p z; cbn [summed]; [now intros [= <- <-]|].
    destruct (product m [Mon 1 []] false ks) as [[q y]|] eqn:P; [|easy].
    destruct (summed m l) as [[r x]|]; [|easy]; specialize (IH _ _ eq_refl).
    apply (product_true n m ks G) in P; [|simpl; lia].
    destruct (y || not_negative f) eqn:N; [|easy]; intros [= <- <-]; rewrite eval_add, eval_mul.
    destruct y; [rewrite P; destruct x; simpl; lia|]; apply not_negative_true in N; destruct x; simpl; nia.
  Qed.
  Lemma step_good hs s t : Forall (fun h => holds_b env h = true) hs -> good s -> good (step hs atoms s t).
  Proof.
    intros H G; destruct s as [n m|]; [|easy]; destruct t as [k|k|l|p]; cbn [step].
    - destruct (nth_error hs k) as [h|] eqn:E; [|exact G]; apply notes_good; [exact G|].
      apply parts_true; apply nth_error_In in E; eapply Forall_forall in H; eauto.
    - destruct (nth_atom 1 atoms k) as [a|] eqn:E; [|exact G]; apply notes_good; [exact G|].
      apply defined_true; simpl; rewrite (values _ _ E); ring.
    - destruct (summed m l) as [[p zero]|] eqn:E; [|exact G]; apply note_good; [exact G|].
      exact (summed_true n m l G p zero E).
    - apply note_good; [exact G|]; cbn [true_of map fold_right].
      rewrite eval_add, eval_sub; cbn [eval mono_value]; lia.
  Qed.
  Fixpoint refuted_good hs s r {struct r} : Forall (fun h => holds_b env h = true) hs -> good s ->
    refuted hs atoms s r = true -> False.
  Proof.
    intros H G; destruct r as [steps k cases]; cbn [refuted].
    assert (G' : good (fold_left (step hs atoms) steps s))
      by (revert s G; induction steps as [|t l IH]; intros s G; [exact G|]; apply IH, step_good; auto).
    clear G; destruct (fold_left _ _ _) as [n m|]; [|easy].
    destruct (PositiveMap.find k m) as [[|l]|] eqn:E; try easy; apply G' in E; simpl in E; clear k.
    revert l E; induction cases as [|c cases IH]; intros [|a l] E; try easy.
    intros C; apply andb_true_iff in C as [C1 C2]; destruct E as [E|E]; [|eapply IH; eauto].
    eapply (refuted_good hs (notes a (Known n m)) c); eauto; apply notes_good; auto.
  Qed.
End Meaning.

Theorem sv_sound (c : sv_claim) (p : sv_proof) (env : list Z) : sv_check c p = true -> sv_denote c env.
Proof.
  destruct c as [hs g], p as [atoms r]; unfold sv_check; intros H; apply andb_true_iff in H as [O R].
  assert (D : Forall (fun h => holds_b env h = true) hs -> holds_p env g).
  { intros F; apply holds_spec; destruct (holds_b env g) eqn:E; [easy|exfalso].
    set (v0 := fun a => match a with (n~0)%positive => valued env n | _ => 0 end).
    apply (refuted_good env atoms (extended env 1 atoms v0)) with (5 := R).
    - intros n; now rewrite extended_before.
    - intros k a; now apply extended_nth.
    - apply Forall_app; split; [exact F|]; constructor; [simpl; now rewrite E|constructor].
    - intros k x X; rewrite PositiveMap.gempty in X; discriminate. }
  clear O R; simpl; induction hs as [|h hs IH]; simpl; [apply D; constructor|].
  intros P; apply IH; intros F; apply D; constructor; [now apply holds_spec|easy].
Qed.

Global Strategy expand [sv_denote holds_p holds_b den integer compared comparison_prop connected connected_prop
  chained joined valued compares].
