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
(** What a single view would have at an index where the chain has this. *)
Ltac sv_look H i :=
  let h := fresh "h" in assert (h := H i ltac:(cbn; lia));
  match type of h with ?c = _ => let v := eval vm_compute in c in change c with v in h end; symmetry in h;
  first [apply sv_look_at in h; destruct h | apply sv_look_hidden in h].
