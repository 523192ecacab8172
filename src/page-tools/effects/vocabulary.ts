// What the words of controls say, in nineteen languages: data for `words.ts`, one entry for each language. A language
// adds its commands here and nowhere else.
//
// Entries are separated by spaces. `a_b` is a phrase, `ab*` a word that begins so, `^ab` counts only where a command
// begins (first, or after "and", "yes", "now"), `!^ab` does so whatever is named with it, and `=a_b` is the whole
// label. Of whole names `ab_*` is also a longer one. Only forms of commands are listed: participles ("deleted") name
// states, and nouns ("orders") name lists.

/** The words of one language. */
export interface Vocabulary {
  /** Commands that delete, pay, sign or bind, or that cannot be taken back. */
  readonly destroy: string
  /** Commands that send, save or publish. */
  readonly send: string
  /** Verbs that only carry a noun, as "make" in "make payment". */
  readonly carry?: string
  /** Nouns of deeds, which act together with a verb of `carry`. */
  readonly deeds?: string
  /** What says that something cannot be taken back. */
  readonly final: string
  /** Commands that are nouns as well, and what follows them in a name: "Purchase history". */
  readonly nouns?: string
  readonly things?: string
  /** What tells a state: "Ready to publish", "Upload failed". */
  readonly states?: string
  /** Whole names that only close a dialog, and those that agree to what it says. */
  readonly close: string
  readonly agree: string
  /** Where things are thrown away. */
  readonly bin: string
  /** Whole names that turn pages, the word for a page, and "of" in "2 of 5". */
  readonly next: string
  readonly previous: string
  readonly edge?: string
  readonly page: string
  readonly of?: string
  /** Whole names that step a number. */
  readonly more: string
  readonly less: string
  /** What is only shown: clearing or resetting it takes nothing away. */
  readonly shown: string
}

export const vocabularies: readonly Vocabulary[] = [
  // English. Many of its verbs are nouns as well, so they count only with what they act on.
  {
    destroy: `
      !^delete ^remove ^erase ^discard ^destroy ^purge ^wipe ^pay ^buy ^purchase ^checkout check-out ^check_out
      ^withdraw ^refund ^revoke ^unsubscribe ^deactivate ^terminate ^uninstall ^empty ^unlink ^disconnect ^ban
      =kick ^kick_(out|from|user|member|player) ^void =convert ^esign ^e-sign ^countersign ^discontinue ^prescribe
      ^decline ^forfeit ^resign ^suspend ^expire_* ^redeem ^donate ^truncate ^overwrite ^unpublish ^renew
      ^unenroll ^evict ^repay ^prepay ^rollback ^roll_back ^shut_down ^shutdown ^reboot ^kill ^force_(push|quit)
      ^cash_out ^opt_out ^factory_reset ^dismiss_review ^restart_(server|service|instance) ^replace_all
      ^report_(spam|abuse|user) ^merge_(accounts|contacts) ^cast_(vote|ballot) ^place_(bid|order) ^bid_now ^bet
      ^sign_(off|and) ^move_to_trash ^move_to_bin ^throw_away ^clear_(all|everything|data|history|cart)
      ^upgrade_(plan|now|to) ^downgrade_(plan|to) ^start_free_trial ^start_(trial|subscription) ^subscribe_and_pay
      ^mark_as_declined ^mark_as_void ^mark_as_paid ^mark_as_lost ^mark_as_refunded =order =transfer =trash =reset
      ^cancel_* ^order_(now|again) ^book_(now|it) ^place_my_order ^place_your_order ^complete_order ^submit_order
      ^transfer_(money|funds|ownership|now) ^money_transfer ^bank_transfer ^send_(money|payment)
      ^wire_(money|funds|transfer) ^convert_(currency|money|funds|lead) ^convert_to_invoice ^convert_to_order
      ^archive_(project|repository|channel|account|board|workspace|all)
      ^reset_(password|to|all|data|device|database|account|everything|settings|permissions)
      ^leave_(team|group|organization|organisation|workspace|channel|server|project|room|chat|conversation)
      ^leave_(meeting|game|community|company|class|course) ^leave_*_(project|group|team|channel|workspace)
      ^block_(user|sender|contact|account|card|person|number|member)
      ^drop_(table|database|index|collection|column|course) ^format_(disk|drive|card|partition|volume|device)
      ^charge_(card|customer|now|account) ^burn_(token|tokens) ^fire_employee ^merge_and_delete ^lock_account
      ^freeze_(card|account) ^sell ^trade_now ^liquidate
    `,
    send: `
      ^send ^submit ^save ^publish ^invite ^confirm ^approve ^reject ^upload ^deploy ^register ^subscribe ^accept
      ^tweet ^retweet ^repost ^reply ^forward_(email|message|to) ^sign_(out|up|in) ^log_(out|in) =logout =login
      ^login_(to|with) =signup ^apply_(for|now|changes) ^assign ^notify ^follow ^unfollow
      ^request_(access|review) ^report_(issue|problem|bug)
      ^update_(profile|password|account) ^merge_pull_request ^merge_(branch|request) ^release_(version|now|to)
      ^post_(comment|reply|now|message|to) ^share =post =release =merge =apply =like ^rate_this ^add_to_calendar
      ^add_to_cart ^transition ^escalate ^enroll ^enrol ^join ^rsvp ^vote ^pin_to
    `,
    carry: `
      ^make ^confirm ^complete ^proceed_to ^issue ^initiate ^authorize ^authorise ^execute ^finalize ^finalise
      ^request ^schedule ^book ^reserve ^cancel ^close ^terminate ^sign ^void ^accept ^set_up ^agree ^place
      ^submit ^continue_to ^order ^process ^perform ^start ^end ^stop
    `,
    deeds: `
      payment* purchase order* refund* deletion removal transfer withdrawal deposit booking* reservation*
      appointment* subscription* membership* account contract* agreement* lease* policy note* document* waiver*
      consent form* seat* table* room* ticket* flight* hotel tour slot trip ride visit plan invoice* prescription*
      medication* treatment checkout donation* cancellation termination trade bid
    `,
    final: `
      cannot_be_undone can_t_be_undone can_not_be_undone cannot_undo can_t_undo can_not_undo irreversible
      irreversibly is_permanent permanently_delete* permanently_remove* deleted_permanently no_way_back
      not_be_recovered cannot_be_recovered can_t_be_recovered cannot_be_restored lost_forever
    `,
    states: 'ready_to ready_for already about_to',
    shown: `
      filter* search* selection* zoom sort* highlight* formatting remove_format guided_tour cancel_changes
      cancel_edit* cancel_upload cancel_selection
    `,
    nouns: `
      purchase refund order transfer checkout book reserve vote share post release report charge import sell bid
      upload save deploy login logout merge submit publish delete payment
    `,
    things: `
      history policy policies details list status results settings guide method methods info information overview
      report reports date number reason reasons notes log form page count button total price failed complete completed
      paused pending successful succeeded error errors progress
    `,
    close: 'close dismiss cancel no not_now no_thanks keep keep_* back',
    agree: 'ok okay yes yes_* continue proceed agree i_understand',
    bin: 'trash garbage recycle_bin rubbish',
    next: 'next next_page the_next_page go_to_next_page go_to_the_next_page',
    previous: 'prev previous prev_page previous_page the_previous_page go_to_previous_page go_to_the_previous_page',
    edge: 'first last first_page last_page go_to_first_page go_to_last_page go_to_the_first_page go_to_the_last_page',
    page: 'page',
    of: 'of',
    more: 'plus increase increase_* increment',
    less: 'minus decrease decrease_* decrement',
  },
  // German: the verb stands at the end.
  {
    destroy: `
      löschen lösche entfernen entferne stornieren kündigen kündige bezahlen bezahle jetzt_zahlen
      kaufen kaufe bestellen überweisen widerrufen leeren verwerfen zurücksetzen abbestellen erstatten
      deaktivieren buchen reservieren unterschreiben unterzeichnen signieren verschreiben verordnen absetzen
      entziehen sperren spenden herunterfahren einziehen blockieren deinstallieren vernichten verkaufen auszahlen
      einlösen festplatte_formatieren laufwerk_formatieren überschreiben überschreiben archivieren
      veröffentlichung_aufheben konto_schließen konto_auflösen verbindung_trennen gerät_trennen team_verlassen
      gruppe_verlassen kanal_verlassen workspace_verlassen arbeitsbereich_verlassen organisation_verlassen
      projekt_verlassen server_verlassen angebot_ablehnen vertrag_ablehnen rezept_ausstellen zahlung_ausführen
      überweisung_ausführen stimme_abgeben rückerstattung_veranlassen abo_beenden austreten bieten =gebot_abgeben
      gebot_abgeben vertrag_annehmen
    `,
    send: `
      senden absenden ausloggen abschicken schicken speichern sichern veröffentlichen teilen einladen bestätigen
      genehmigen ablehnen hochladen registrieren abonnieren abmelden anmelden posten einreichen freigeben
      antworten weiterleiten zuweisen beitreten folgen beantragen
    `,
    carry: 'bestätigen bestätige durchführen ausführen veranlassen',
    deeds: `
      löschung* entfernung zahlung* bezahlung kauf bestellung* überweisung* stornierung* kündigung* buchung*
      erstattung* unterschrift sperrung widerruf
    `,
    states: 'bereit_zum bereit_zur zu_wissen bereit',
    final: `
      nicht_rückgängig unwiderruflich endgültig_gelöscht nicht_widerrufen_werden nicht_wiederherstellbar
      nicht_wiederhergestellt
    `,
    shown: 'filter suche* auswahl sortierung zoom ansicht formatierung suchfeld',
    close: 'schließen abbrechen nein nicht_jetzt zurück',
    agree: 'ja ja_* weiter fortfahren',
    bin: 'papierkorb',
    next: 'nächste nächste_seite',
    previous: 'vorherige vorherige_seite',
    edge: 'erste letzte erste_seite letzte_seite',
    page: 'seite',
    of: 'von',
    more: 'mehr erhöhen',
    less: 'weniger verringern',
  },
  // Spanish
  {
    destroy: `
      eliminar elimina borrar borra quitar quita suprimir anular anula pagar paga comprar ^compra pedir transferir
      revocar vaciar vacía descartar restablecer reembolsar desactivar firmar reservar recetar prescribir bloquear
      votar donar desinstalar apagar expulsar canjear vender archivar retirar rescindir suspender formatear_disco
      sobrescribir cerrar_cuenta darse_de_baja dar_de_baja abandonar salir_del_grupo salir_del_equipo
      rechazar_oferta despublicar sobrescribir sobreescribir realizar_pago realizar_el_pago realizar_pedido
      hacer_pedido hacer_un_pedido hacer_una_transferencia finalizar_compra finalizar_pedido cancelar_*
    `,
    send: `
      enviar envía guardar guarda publicar compartir invitar confirmar aprobar rechazar subir registrar
      registrarse suscribirse cerrar_sesión iniciar_sesión reenviar responder postularse aceptar aplicar_cambios
      solicitar unirse seguir_a asignar
    `,
    carry: 'confirmar confirma realizar efectuar',
    deeds: `
      eliminación borrado pago* compra* pedido* transferencia* cancelación* anulación reembolso* reserva* baja
      despublicación retiro* firma
    `,
    states: 'listo_para lista_para listos_para',
    final: `
      no_se_puede_deshacer no_podrás_deshacer no_se_podrá_deshacer irreversible permanentemente
      de_forma_permanente
    `,
    shown: 'filtro* búsqueda selección zoom vista orden cambios_de_vista',
    close: 'cerrar cancelar ahora_no volver',
    agree: 'sí si continuar aceptar',
    bin: 'papelera',
    next: 'siguiente',
    previous: 'anterior',
    edge: 'primera última',
    page: 'página',
    of: 'de',
    more: 'aumentar',
    less: 'disminuir',
  },
  // French
  {
    destroy: `
      supprimer supprime supprimez effacer effacez retirer payer payez acheter achetez commander transférer virer
      révoquer vider abandonner réinitialiser rembourser désactiver résilier signer prescrire réserver bloquer
      voter désinstaller quitter_le_groupe quitter_l_équipe quitter_l_organisation quitter_le_canal
      quitter_le_projet quitter_le_serveur quitter_ce_* dépublier remplacer_tout bannir expulser vendre archiver
      détruire éteindre formater_le_disque écraser ignorer_toutes_les_modifications ignorer_les_modifications
      encaisser annuler_* régler_la_facture régler_ma_commande régler_maintenant fermer_le_compte
      fermer_mon_compte clôturer se_désabonner se_désinscrire passer_la_commande passer_commande
      valider_la_commande effectuer_le_paiement effectuer_un_paiement effectuer_un_virement faire_un_virement
      faire_un_don prendre_rendez-vous arrêter_le_traitement arrêter_le_serveur refuser_l_offre
      finaliser_la_commande finaliser_l_achat donner_maintenant
    `,
    send: `
      envoyer envoie envoyez soumettre enregistrer sauvegarder publier partager inviter confirmer approuver
      valider s_inscrire s_abonner se_connecter se_déconnecter déconnexion refuser téléverser importer postuler
      répondre transférer_l_e-mail accepter rejoindre attribuer
    `,
    carry: 'confirmer confirmez valider effectuer',
    deeds: `
      suppression* paiement* achat* commande* virement* annulation* résiliation* remboursement* réservation*
      dépublication retrait* signature*
    `,
    states: 'prêt_à prête_à prêts_à',
    final: `
      est_irréversible irréversible ne_peut_pas_être_annulée ne_peut_être_annulée ne_peut_pas_être_annulé
      définitivement
    `,
    shown: 'filtre* recherche* sélection zoom affichage tri mise_en_forme la_saisie',
    close: 'fermer annuler non pas_maintenant retour',
    agree: 'oui continuer d_accord',
    bin: 'corbeille',
    next: 'suivant suivante',
    previous: 'précédent précédente',
    edge: 'première dernière',
    page: 'page',
    of: 'sur',
    more: 'augmenter',
    less: 'diminuer',
  },
  // Arabic: nouns of deeds serve as commands.
  {
    destroy: `
      حذف احذف إزالة أزل ادفع دفع شراء اشتر اطلب سحب إفراغ تجاهل استرداد تعطيل توقيع وقع حظر تبرع تصويت مغادرة
      إلغاء_* تحويل_المبلغ تحويل_الأموال إتمام_الدفع إتمام_الطلب إتمام_الشراء تأكيد_الطلب حجز حجز_موعد احجز
      وصف_الدواء إعادة_ضبط_المصنع إعادة_ضبط إعادة_تعيين إغلاق_الحساب رفض_العرض إنهاء_الاشتراك أرشفة أفرغ استبدل
    `,
    send: 'إرسال أرسل حفظ احفظ نشر انشر مشاركة شارك دعوة تأكيد موافقة رفض رفع تسجيل اشتراك رد قبول انضمام',
    carry: 'تأكيد',
    deeds: 'الحذف الإزالة الدفع الشراء الطلب التحويل الإلغاء الحجز',
    final: 'لا_يمكن_التراجع لا_يمكن_استعادة نهائيا بشكل_نهائي',
    shown: 'عوامل_التصفية التصفية البحث التحديد تحديد الفلتر الفلاتر عامل طريقة سجل',
    close: 'لا إغلاق إلغاء رجوع',
    agree: 'نعم متابعة موافق',
    bin: 'سلة_المهملات',
    next: 'التالي',
    previous: 'السابق',
    page: 'صفحة',
    of: 'من',
    more: 'زيادة',
    less: 'إنقاص',
  },
  // Italian
  {
    destroy: `
      elimina eliminare rimuovi rimuovere cancella cancellare paga_* =paga pagare acquista acquistare =compra
      compra_* comprare effettua_il_pagamento effettua_pagamento effettua_bonifico conferma_ordine
      conferma_acquisto invia_bonifico invia_denaro disdici disdire prenota prenotare firma_documento firma_il_*
      firma_contratto =firma_ora firmare prescrivi prescrivere revoca revocare blocca bloccare svuota svuotare
      ripristina_* scarta scartare annulla_* chiudi_account chiudi_conto abbandona abbandonare rifiuta_offerta
      rimborsa rimborsare dona_* =dona donare disinstalla disattiva archivia vota trasferisci_denaro
      trasferisci_fondi trasferisci_proprietà sovrascrivi spegni_server formatta_disco resetta_la_password
      reimposta_password recedi recesso_ora
    `,
    send: `
      invia inviare salva salvare pubblica pubblicare condividi condividere invita invitare approva approvare
      carica caricare conferma confermare rispondi rispondere inoltra accedi registrati iscriviti =esci
      esci_dall_account rifiuta accetta
    `,
    carry: 'conferma confermare effettua',
    deeds: `
      eliminazione rimozione cancellazione pagamento* acquisto* ordine* bonifico prenotazione* rimborso* firma
      disdetta annullamento
    `,
    states: 'pronto_per pronta_per pronti_per',
    final: `
      irreversibile non_può_essere_annullata non_può_essere_annullato non_è_possibile_annullare
      definitivamente
    `,
    shown: 'filtri filtro ricerca selezione zoom vista ordinamento modifica modifiche_recenti',
    close: 'chiudi annulla non_ora no_grazie indietro mantieni',
    agree: 'sì continua procedi accetto d_accordo',
    bin: 'cestino',
    next: 'successivo successiva avanti pagina_successiva',
    previous: 'precedente pagina_precedente',
    edge: 'prima ultima',
    page: 'pagina',
    of: 'di',
    more: 'aumenta',
    less: 'diminuisci',
  },
  // Portuguese
  {
    destroy: `
      excluir exclua deletar redefinir_senha eliminar apagar apague remover remova pagar pague comprar compre
      transferir_dinheiro transferir_valor transferir_fundos transferir_agora =transferir revogar bloquear
      esvaziar descartar reembolsar doar reservar prescrever assinar_* cancelar_* restaurar_padrões
      restaurar_fábrica restaurar_padrões_de_fábrica encerrar_conta encerrar_contrato fechar_conta sair_do_grupo
      sair_da_equipe sair_da_equipa recusar_oferta despublicar sobrescrever sair_do_projeto
      sair_do_projeto_partilhado sair_da_organização efetuar_pagamento efetuar_o_pagamento finalizar_compra
      finalizar_pedido fazer_pedido fazer_um_pedido votar desinstalar desativar arquivar vender sacar anular
      redefinir rescindir
    `,
    send: `
      enviar envie salvar salve guardar publicar publique compartilhar partilhar convidar aprovar confirmar
      carregar responder encaminhar registrar registar inscrever-se terminar_sessão iniciar_sessão sair_da_conta
      rejeitar aceitar
    `,
    carry: 'confirmar confirme efetuar',
    deeds: `
      exclusão eliminação remoção pagamento* compra* pedido* transferência* cancelamento* reembolso* reserva*
      assinatura
    `,
    states: 'pronto_para pronta_para prontos_para',
    final: 'irreversível não_pode_ser_desfeita não_pode_ser_desfeito não_poderá_ser_desfeita permanentemente',
    shown: 'filtro* pesquisa seleção zoom visualização ordenação busca',
    close: 'fechar cancelar não agora_não não_obrigado voltar manter',
    agree: 'sim continuar prosseguir concordo',
    bin: 'lixeira reciclagem lixo',
    next: 'próximo próxima próxima_página',
    previous: 'anterior página_anterior',
    edge: 'primeira última',
    page: 'página',
    of: 'de',
    more: 'aumentar',
    less: 'diminuir',
  },
  // Dutch
  {
    destroy: `
      verwijderen verwijder wissen wis betalen betaal kopen koop bestellen overmaken opzeggen reserveren
      ondertekenen voorschrijven intrekken blokkeren leegmaken legen overschrijven overschrijf
      bevestig_verwijdering publicatie_ongedaan_maken ongedaan_maken_van_publicatie depubliceren
      gedeeld_project_verlaten project_verlaten terugbetalen doneren boeken deactiveren stemmen archiveren
      stopzetten annuleer_* *_annuleren bestelling_plaatsen betaling_uitvoeren fabrieksinstellingen_herstellen
      reset_wachtwoord wachtwoord_resetten wijzigingen_ongedaan_maken wijzigingen_negeren wijzigingen_verwerpen
      account_sluiten rekening_sluiten team_verlaten groep_verlaten kanaal_verlaten aanbod_afwijzen vernietigen
      verkopen uitschrijven
    `,
    send: `
      verzenden verstuur versturen opslaan sla_op sla_*_op bewaar bewaren publiceren publiceer delen deel
      uitnodigen nodig_anderen_uit nodig_uit goedkeuren uploaden afmelden aanmelden bevestigen indienen
      beantwoorden doorsturen registreren inloggen uitloggen afwijzen accepteren
    `,
    carry: 'bevestig bevestigen',
    deeds: `
      verwijdering betaling* aankoop* bestelling* overboeking* annulering* opzegging* terugbetaling*
      reservering* boeking* handtekening
    `,
    states: 'klaar_om klaar_voor',
    final: 'kan_niet_ongedaan niet_ongedaan_worden_gemaakt onomkeerbaar definitief_verwijderd',
    shown: 'filter* zoekopdracht selectie zoom weergave sortering opmaak',
    close: 'sluiten sluit annuleren annuleer nee niet_nu nee_bedankt terug behouden',
    agree: 'ja ja_* doorgaan akkoord verder',
    bin: 'prullenbak',
    next: 'volgende volgende_pagina',
    previous: 'vorige vorige_pagina',
    edge: 'eerste laatste',
    page: 'pagina',
    of: 'van',
    more: 'verhogen',
    less: 'verlagen',
  },
  // Swedish
  {
    destroy: `
      ta_bort radera betala köp köpa beställ beställa överför_* =överför säg_upp avboka boka_* =boka reservera
      signera underteckna förskriv förskriva återkalla blockera töm tömma ignorera_ändringar
      ignorera_alla_ändringar kassera avsluta_konto lämna_* avböj avböj_* återbetala återställ_* avpublicera
      skriv_över skriva_över lägg_beställning genomför_betalning genomför_köp skänk donera rösta avinstallera
      inaktivera arkivera avsluta_abonnemang avsluta_prenumeration avbryt_* makulera sälj stäng_konto
    `,
    send: `
      skicka spara publicera dela bjud_in godkänn ladda_upp logga_ut logga_in svara vidarebefordra bekräfta
      registrera avvisa acceptera
    `,
    carry: 'bekräfta',
    deeds: `
      borttagning* radering* betalning* köp* beställning* överföring* avbokning* uppsägning* återbetalning*
      bokning*
    `,
    states: 'redo_att',
    final: 'kan_inte_ångras går_inte_att_ångra oåterkallelig* permanent_bort',
    shown: 'filter sökning markering zoom vy sortering',
    close: 'stäng avbryt nej inte_nu nej_tack tillbaka behåll',
    agree: 'ja ja_* fortsätt',
    bin: 'papperskorg*',
    next: 'nästa nästa_sida',
    previous: 'föregående föregående_sida',
    edge: 'första sista',
    page: 'sida',
    of: 'av',
    more: 'öka',
    less: 'minska',
  },
  // Danish and Norwegian
  {
    destroy: `
      slet slett fjern betal køb kjøp bestil bestill overfør_* =overfør opsig si_opp afbestil avbestill
      book_(tid|bord|plads|rejse|hotel|nu) =book bestil_tid reserver underskriv signer ordiner
      tilbagekald trekk_tilbake bloker blokker tøm nulstil_*
      tilbakestill tilbakestill_* kassér_ændringer kassér_alle_ændringer nulstil_adgangskode forkast luk_konto
      lukk_konto forlad forlad_* forlat_* afvis_tilbud avslå_tilbud refunder afgiv_ordre legg_inn_bestilling
      gennemfør_betaling gennemfør_køb fullfør_betaling fullfør_kjøp annuller_* avbryt_abonnement doner stem
      afinstaller avinstaller deaktiver arkiver sælg overskriv afpublicer avpubliser avpublisere bekræft_sletning
      permanent_sletning bekreft_sletting
    `,
    send: `
      ^send gem_* =gem lagre udgiv offentliggør publisere publiser publicer =del del_med del_element del_dette
      del_denne del_link inviter invitere godkend godkjenn last_opp log_ud logg_ut log_ind logg_inn svar_* =svar
      videresend bekræft bekreft registrer afvis avvis
    `,
    carry: 'bekræft bekreft',
    deeds: `
      sletning sletting betaling* køb* kjøp* bestilling* ordre* overførsel* annullering* opsigelse* refusion
      reservation* booking*
    `,
    states: 'klar_til',
    final: 'kan_ikke_fortrydes kan_ikke_angres permanent_slettet uigenkaldelig* ugjenkallelig*',
    shown: 'filtre filter søgning søk markering* zoom visning sortering',
    close: 'luk annuller nej ikke_nu nej_tak tilbage behold lukk avbryt nei ikke_nå nei_takk tilbake',
    agree: 'ja ja_* fortsæt fortsett',
    bin: 'papirkurv* papirkorg*',
    next: 'næste næste_side neste neste_side',
    previous: 'forrige forrige_side',
    edge: 'første sidste siste',
    page: 'side',
    of: 'af',
    more: 'øg øk',
    less: 'mindsk reduser',
  },
  // Finnish
  {
    destroy: `
      poista poistu_ryhmästä poistu_tiimistä poistu_kanavalta poistu_projektista korvaa_kaikki maksa osta tilaa
      tee_tilaus siirrä_rahaa irtisano peruuta_* varaa allekirjoita estä tyhjennä palauta_tehdasasetukset nollaa
      hylkää sulje_tili hyvitä suorita_maksu lahjoita äänestä määrää_lääke peru_* arkistoi myy
    `,
    send: `
      lähetä tallenna julkaise jaa kutsu hyväksy lataa_palvelimelle lataa_tiedosto_palvelimelle kirjaudu_ulos
      kirjaudu_sisään vastaa vahvista rekisteröidy välitä liity
    `,
    carry: 'vahvista',
    deeds: 'poisto* poista* maksu* osto* tilaus* tilisiirto* peruutus* irtisanominen palautus varaus*',
    states: 'valmis_*',
    final: 'ei_voi_perua ei_voi_kumota ei_voida_perua pysyvästi',
    shown: 'suodattimet suodatin haku valinta zoomaus näkymä lajittelu',
    close: 'sulje peruuta ei ei_nyt ei_kiitos takaisin säilytä',
    agree: 'kyllä jatka',
    bin: 'roskakori*',
    next: 'seuraava seuraava_sivu',
    previous: 'edellinen edellinen_sivu',
    edge: 'ensimmäinen viimeinen',
    page: 'sivu',
    more: 'lisää',
    less: 'vähennä',
  },
  // Polish
  {
    destroy: `
      usuń zapłać kup zamów złóż_zamówienie dokonaj_płatności dokonaj_zakupu wykonaj_przelew przelej anuluj_*
      odwołaj_* zarezerwuj podpisz przepisz_* cofnij_dostęp odbierz_dostęp zablokuj opróżnij przywróć_* zresetuj
      odrzuć zamknij_konto opuść_grupę opuść_zespół opuść_kanał opuść_projekt opuść_*_projekt cofnij_publikację
      nadpisz zwróć wpłać wypłać głosuj zagłosuj odinstaluj dezaktywuj zarchiwizuj resetuj_hasło wypowiedz
      zrezygnuj kasuj skasuj sprzedaj wypisz_się
    `,
    send: `
      wyślij zapisz publikuj opublikuj udostępnij zaproś zatwierdź prześlij wyloguj zaloguj odpowiedz potwierdź
      zarejestruj dołącz zaakceptuj
    `,
    carry: 'potwierdź',
    deeds: `
      usunięcie usunięcia usuwanie płatnoś* zakup* zamówieni* przelew* anulowanie rezygnacj* zwrot* rezerwacj*
      podpis*
    `,
    states: 'gotowe_do gotowy_do gotowa_do',
    final: 'nie_można_cofnąć nieodwracaln* nie_da_się_cofnąć trwale_usun*',
    shown: 'filtry filtr wyszukiwanie zaznaczenie powiększenie widok sortowanie',
    close: 'zamknij anuluj nie nie_teraz nie_dziękuję wstecz wróć zachowaj',
    agree: 'tak tak_* kontynuuj dalej',
    bin: 'kosz',
    next: 'następna następny następna_strona',
    previous: 'poprzednia poprzedni poprzednia_strona',
    edge: 'pierwsza ostatnia',
    page: 'strona',
    of: 'z',
    more: 'zwiększ',
    less: 'zmniejsz',
  },
  // Czech and Slovak
  {
    destroy: `
      smazat smaž vymazat odebrat odstranit odstrániť zaplatit zaplatiť koupit kúpiť objednat objednať
      odeslat_objednávku převést_* previesť_* zrušit_* zrušiť_* rezervovat rezervovať podepsat podpísať předepsat
      predpísať zablokovat zablokovať vysypat vyprázdnit vyprázdniť obnovit_tovární_* obnovit_výchozí_* resetovat
      obnovit_heslo zahodit zahodiť opustit_skupinu opustit_tým opustit_projekt opustit_*_projekt opustiť_skupinu
      přepsat prepísať odmítnout odmietnuť vrátit_peníze vrátiť_peniaze provést_platbu uhradit darovat hlasovat
      odinstalovat deaktivovat archivovat vypovědět prodat stornovat zavřít_účet
    `,
    send: `
      odeslat odoslať poslat poslať uložit uložiť publikovat publikujte publikovať sdílet zdieľať pozvat pozvať
      schválit schváliť nahrát nahrať odhlásit odhlásiť přihlásit prihlásiť odpovědět potvrdit potvrdiť
      registrovat přijmout
    `,
    carry: 'potvrdit potvrďte potvrď',
    deeds: 'smazání odstranění platb* nákup* objednávk* převod* storno zrušení výpověď vrácení rezervac* podpis*',
    states: 'připraveno_k připraven_k',
    final: 'nelze_vrátit nelze_vzít_zpět nevratn* nie_je_možné_vrátiť trvale_smaz*',
    shown: 'filtry filtr filtre hledání výběr* výber* zobrazení řazení seskupení zoskupenie',
    close: 'zavřít zrušit ne teď_ne ne_děkuji zpět ponechat zavrieť nie späť',
    agree: 'ano ano_* áno pokračovat pokračovať',
    bin: 'koš kôš',
    next: 'další další_strana ďalšia',
    previous: 'předchozí předchozí_strana predchádzajúca',
    edge: 'první poslední',
    page: 'strana',
    of: 'z',
    more: 'zvýšit',
    less: 'snížit',
  },
  // Russian
  {
    destroy: `
      удалить удали удалите удалять убрать оплатить оплатите купить заказать оформить_заказ оформить_подписку
      перевести_деньги перевести_средства отменить_* забронировать записаться_* подписать_* =подписать выписать
      отозвать заблокировать перезаписать выйти_из_проекта выйти_из_*_проекта выйти_из_организации выйти_из_канала
      снять_с_публикации очистить сбросить закрыть_счёт закрыть_счет закрыть_аккаунт покинуть выйти_из_группы
      выйти_из_команды отклонить вернуть_деньги вернуть_средства пожертвовать проголосовать отключить отписаться
      деактивировать архивировать расторгнуть продать стереть деинсталлировать удалить_приложение снять_деньги
      аннулировать уничтожить
    `,
    send: `
      отправить отправьте сохранить опубликовать публиковать =выйти поделиться пригласить одобрить загрузить_файл
      загрузить_фото выйти_из_аккаунта выйти_из_системы войти зарегистрироваться подтвердить ответить переслать
      принять присоединиться
    `,
    carry: 'подтвердить подтвердите',
    deeds: `
      удаление удаления оплат* платеж* платёж* покупк* заказ* перевод* отмен* расторжени* возврат* бронировани*
      подпис*
    `,
    states: 'готов*',
    final: 'нельзя_отменить нельзя_будет_отменить необратим* безвозвратно невозможно_отменить',
    shown: 'фильтр* поиск выбор выделение масштаб вид сортировку форматирование',
    close: 'закрыть отмена отменить нет не_сейчас нет_спасибо назад оставить',
    agree: 'да да_* продолжить',
    bin: 'мусор*',
    next: 'следующая следующая_страница далее',
    previous: 'предыдущая предыдущая_страница',
    edge: 'первая последняя',
    page: 'страница',
    of: 'из',
    more: 'увеличить',
    less: 'уменьшить',
  },
  // Ukrainian
  {
    destroy: `
      видалити вилучити прибрати сплатити оплатити купити замовити оформити_замовлення переказати_* скасувати_*
      забронювати записатися_* підписати_* =підписати виписати відкликати перезаписати вийти_зі_*_проєкту
      вийти_з_проєкту вийти_з_групи зняти_з_публікації заблокувати очистити скинути відхилити закрити_рахунок
      закрити_обліковий_запис покинути повернути_кошти повернути_гроші пожертвувати проголосувати вимкнути
      відписатися деактивувати архівувати розірвати продати стерти
    `,
    send: `
      надіслати відправити зберегти опублікувати опублікуйте =вийти поділитися поділитись запросити схвалити
      завантажити_файл вийти_з_облікового_запису вийти_із_системи увійти зареєструватися підтвердити відповісти
      переслати прийняти приєднатися
    `,
    carry: 'підтвердити підтвердьте',
    deeds: `
      видалення вилучення оплат* платіж* покупк* замовлення переказ* скасування розірвання повернення бронювання
      підпис*
    `,
    states: 'готов*',
    final: 'неможливо_скасувати не_можна_скасувати незворотн* безповоротно',
    shown: 'фільтр* пошук вибір виділення масштаб вигляд сортування',
    close: 'закрити скасувати ні не_зараз ні_дякую назад залишити',
    agree: 'так так_* продовжити',
    bin: 'смітник*',
    next: 'наступна наступна_сторінка далі',
    previous: 'попередня попередня_сторінка',
    edge: 'перша остання',
    page: 'сторінка',
    of: 'з',
    more: 'збільшити',
    less: 'зменшити',
  },
  // Turkish: the verb stands at the end.
  {
    destroy: `
      sil kaldır öde satın_al sipariş_ver siparişi_ver para_gönder para_aktar havale_yap rezervasyon_yap
      rezerve_et randevu_al imzala reçete_yaz engelle boşalt sıfırla ayrıl reddet iade_et *_iptal_et
      ödemeyi_tamamla alışverişi_tamamla siparişi_tamamla sepetten_çıkar değişiklikleri_at hesabı_kapat bağış_yap
      oy_ver arşivle devre_dışı_bırak yasakla feshet üzerine_yaz üzerine_yazın paylaşılan_projeyi_kapat
      yayından_kaldır
    `,
    send: `
      gönder oturumu_kapat kaydet yayınla paylaş davet_et onayla =yükle dosya_yükle fotoğraf_yükle resim_yükle
      =çıkış çıkış_yap giriş_yap yanıtla ilet kaydol kabul_et katıl
    `,
    carry: 'onayla onaylayın',
    deeds: 'silme silmeyi ödeme* ödemeyi satın_alma* sipariş* havale* iptal* iade* rezervasyon*',
    states: 'hazır',
    final: 'geri_alınamaz geri_alamazsınız kalıcı_olarak_silin*',
    shown: 'filtre* arama* seçim* gruplama* yakınlaştırma görünüm sıralama sıralamayı',
    close: 'kapat iptal vazgeç hayır şimdi_değil hayır_teşekkürler geri',
    agree: 'evet evet_* tamam devam devam_et',
    bin: 'çöp çöp_kutusu',
    next: 'sonraki sonraki_sayfa',
    previous: 'önceki önceki_sayfa',
    edge: 'ilk son',
    page: 'sayfa',
    more: 'artır',
    less: 'azalt',
  },
  // Japanese, Chinese and Korean, as far as whole labels go. The rest is in `signs`.
  {
    destroy: '',
    send: '',
    final: '',
    shown: '',
    close: 'いいえ 閉じる キャンセル 戻る 关闭 關閉 取消 返回 닫기 취소 아니요 아니오 나중에 뒤로',
    agree: 'はい 続ける 是 好 确定 確定 继续 繼續 예 네 확인 계속',
    bin: 'ゴミ箱 回收站 垃圾 휴지통',
    next: '次 次へ 下一页 下一頁 다음 다음_페이지',
    previous: '前 前へ 上一页 上一頁 이전 이전_페이지',
    edge: '最初 最後 首页 末页 처음 마지막',
    page: 'ページ 页 頁 페이지',
    more: '増やす 增加 늘리기',
    less: '減らす 减少 減少 줄이기',
  },
]

/**
 * Scripts that do not separate words: parts of labels. Nouns of lists ("注文履歴") contain the noun of a deed, so the
 * form of the command decides.
 */
export const signs: {
  readonly destroy: readonly string[]
  readonly send: readonly string[]
  readonly shown: readonly string[]
  readonly states: readonly string[]
  readonly final: readonly string[]
} = {
  destroy: [
    // Japanese
    '削除(?!済|され)|上書き',
    '消去|を取り消|^取り消す|抹消|解約|退会|脱退|破棄|リセット|初期化する|アンインストール|無効化|空にする|返金(?:する|を)|返品する',
    '.をキャンセル|キャンセルする|支払う|支払い?を|支払いへ|購入(?:する|を|手続)|今すぐ購入|^購入$|注文(?:する|を確定|確定)|^注文$',
    '振り込む|振込(?:する|を)|送金(?:する|を)|^送金$|予約(?:する|を確定)|^予約$|署名(?:する|して)|処方する|ブロックする|辞退|拒否する',
    '寄付(?:する|を)|投票する|アーカイブする|取り外す|切断する|公開を?停止|登録を解除|購読を?解除|失効|売却',
    // Chinese, simplified and traditional
    '(?<!已)(?:删除|刪除)(?!线|線)|覆盖|覆寫|覆蓋|(?<!已)移除|清空',
    '取消(?!选|選|全[选選]|分[组組]|群[组組]|[复復]原|追[踪蹤]|[编編]辑|[编編]輯|合并|固定|置顶).+|支付(?!方式|宝|寶|记录|紀錄|历史|設定|设置)',
    '付款(?!方式|记录|紀錄|历史)|购买(?!记录|历史|指南)',
    '購買(?!紀錄|記錄)|下单|下單|提交(?:订单|訂單)|(?:立即|确认|確認)转账|(?:立即|確認)轉帳|^转账$|^轉帳$|撤销.{2,}|撤銷.{2,}|丢弃|捨棄|放弃|放棄',
    '恢复出厂|恢復原廠|(?<!已)退款(?!政策|记录|紀錄)|注销|註銷|停用|停药|停藥|解约|解約|退订|退訂|卸载|解除安裝|重置密码|重設密碼|存档|封存|^预约$|^預約$',
    '(?:立即|确认)(?:预订|预约)|預訂$',
    '签署(?!设置|记录)|簽署|签字|簽字|开处方|開處方|拉黑|(?<!已)屏蔽(?:用户|此人)|封锁|封鎖',
    '(?:退出|离开|離開)(?:.{0,4})(?:团队|群|小组|團隊|项目|專案|组织|組織|频道|頻道)|拒绝.+|拒絕.+|捐款|捐赠|投票$|归档',
    // Korean
    '(?<!된 |된)삭제(?!된|됨)|제거|결제(?:하기|하세요|$)|지금 결제|구매하기|구매하세요|주문하기|송금(?:하기)?$|이체(?:하기)?$|해지|탈퇴|예약하기|서명하기|처방하기',
    '(?<!실행|선택|선택 항목) 취소$|덮어쓰기|게시 해제|차단$|차단하기|비우기|(?<!필터 |검색 )초기화(?:하기)|재설정(?:하기|$)|나가기$|거절|환불하기|기부하기',
    '투표하기|폐기|버리기|비활성화|보관하기',
  ],
  send: [
    '送信(?!済|され)|保存(?!され)|(?<!近日)公開(?:する|を|設定を|$)',
    '投稿(?!一覧)|共有(?!済|アイテム)|招待|確認する|^(?:はい、?)?確認$|承認|却下|アップロード|登録|ログアウト|サインアウト|ログイン',
    'サインイン|アーカイブ(?:する|$)|返信|転送(?:する|$)|応募|フォローする|適用する',
    '(?<!已)发送|(?<!已)發送|提交|送出|共享|储存|儲存|保存|发布|發布|發佈|分享|邀请|邀請|确认|^[^ぁ-ヿ]*確認|批准|拒绝|上传|上傳|注册|註冊|另存为|登录|登錄|登入|登出|退出登录',
    '订阅|訂閱|回复|回覆|转发|同意',
    '(?<!내)보내기|전송(?!됨)|저장|게시$|게시하기|공유|초대|승인|업로드|로그아웃|로그인|제출|등록하기|답장|수락|확인하기',
  ],
  shown: ['フィルタ', '検索条件', '選択', '筛选', '篩選', '搜索', '搜尋', '选择', '選擇', '필터', '검색', '선택'],
  states: [
    '(?:ました|ません|できます|できる|中に|準備完了)(?!か)',
    '(?:済み?|一覧|履歴|設定|ポリシー|方法|中の.+|結果|リスト|アイテム|数|日)$',
    '(?:记录|紀錄|历史|歷史|(?<!出厂)设置|設定|政策|方式|列表|清单|详情|結果|结果|的用户|方法|数|日期|已.+)$',
    '(?:내역|목록|설정|수단|정책|방법|편지함|보관함|항목|결과|된 .+)$',
  ],
  final: [
    '元に戻せません|元に戻すことはできません|取り消せません|取り消すことはできません|復元できません|完全に削除され',
    '无法撤[销回消]|不可撤[销回]|無法復原|無法撤銷|不可恢复|无法恢复|不可逆|永久删除|永久刪除',
    '되돌릴 수 없|취소할 수 없|복구할 수 없|영구적으로',
  ],
}

/**
 * What icons, files and markup are called after, in any place of a name: `mdi-trash-can`, `item-delete`. They are in
 * English everywhere.
 */
export const iconWords = {
  /** A bin: also beside words that say nothing of it. */
  bin: 'trash* delete* bin garbage* dustbin wastebasket',
  destroy: `
    remove* erase* discard* ban block* uninstall* unlink* user_minus user_x user_times person_x person_dash
    account_minus group_off payment* paid credit_card creditcard cash money_bill* hand_holding_* checkout
  `,
  send: `
    send* paper_plane* paperplane* mail_send email_send publish* save* content_save floppy* upload* cloud_up share*
    check checkmark check_circle check_lg tick done done_all thumbs_up
  `,
  /** With these words a name is that of something else. */
  other: `
    undelete* undo* restore* filter* search* zoom* magnify* format* selection highlight* zip close cancel dismiss back
    history list clear_format* dialog modal menu toggle open box* blank
  `,
  /** A cross, which closes what it is in the head of. */
  cross: 'times xmark x close cross',
} as const

/** Parts of names and classes of pagers. A page alone is no pager. */
export const pagerWords =
  /pagin|pager|seiten|páginas|sidor|sayfalar|страницам|сторінками|ページ|分页|分頁|페이지|صفحات/i

/** Symbols that stand for a word. */
export const symbols = {
  bin: '🗑🚮␡⌦',
  destroy: '⛔🚫💳💸',
  send: '✉📧📨📤📩✔✓✅☑💾',
  cross: '×✕✖⨯❌❎x',
  next: '›»>→',
  previous: '‹«<←',
  more: '+＋➕',
  less: '-−–—➖',
} as const
