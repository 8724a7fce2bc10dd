import type { Language } from '../asked-contract.ts'

/** Texts of messages with `{placeholders}`. */
type Words = {
  /** Names of the severities 0 to 6. */
  severities: readonly string[]
  one: string
  many: string
  over: string
  manyOver: string
  unacknowledged: string
  more: string
  moreText: string
  test: string
  testText: string
  onCall: string
  onCallText: string
  nobodyOnCall: string
  offCall: string
  offCallText: string
  offCallNobody: string
  gap: string
  gapText: string
  gapOpenText: string
  removedText: string
  note: string
  openAlarms: string
  digest: string
  night: string
  failed: string
  failedText: string
  device: string
  since: string
  overSince: string
  value: string
  limit: string
  consequence: string
  response: string
  respondBy: string
  andMore: string
  open: string
  why: string
  repeated: string
  triggerStopped: string
  /** Reasons for which a trigger does not run, by their code. */
  stopped: Readonly<Record<string, string>>
  resume: string
  openTriggers: string
}

export const words: Record<Language, Words> = {
  en: {
    severities: ['Information', 'Low', 'Low', 'Medium', 'Medium', 'High', 'Critical'],
    one: '[{severity}] {device}: {text}',
    many: '{n} alarms on {device}, first: {text}',
    over: 'Over after {duration}: {device}: {text}',
    manyOver: '{n} alarms over, first: {device}: {text}',
    unacknowledged: 'Not acknowledged for {minutes} min: {device}: {text}',
    more: 'And {n} more messages',
    moreText:
      '{n} more messages were not sent to you, because you get at most {most} an hour. They are in the portal.',
    test: 'Test message of Longreach',
    testText: 'This is a test. Messages of this channel arrive here.',
    onCall: 'You are on call for {schedule} until {time}',
    onCallText: 'Alarms of the schedule {schedule} come to you until {time}.',
    nobodyOnCall: 'Nobody on call',
    offCall: 'Your turn on call for {schedule} is over',
    offCallText: '{person} is on call for {schedule} now.',
    offCallNobody: 'Nobody is on call for {schedule} now.',
    gap: 'Nobody is on call for {schedule}',
    gapText:
      'Nobody is on call for {schedule} until {time}. Escalations go on to their next step at once. Add a person or an override.',
    gapOpenText:
      'Nobody is on call for {schedule}, and no turn follows. Escalations go on to their next step at once. Add a person or an override.',
    removedText:
      '{person} is on call for {schedule}, but is no longer in the organization. Escalations go on to their next step at once. Change the schedule or add an override.',
    note: 'Note of {person}: {note}',
    openAlarms: 'Open alarms: {n}',
    digest: 'Summary: {open} open, {over} over',
    night: 'Last night: {open} open, {over} over',
    failed: 'A message to {recipient} was not delivered',
    failedText:
      'A message of the rule “{rule}” to {recipient} ({channel}) failed for good. The last answer was: {answer}',
    device: 'Device',
    since: 'Since',
    overSince: 'Over since',
    value: 'Value',
    limit: 'Limit',
    consequence: 'Consequence',
    response: 'What to do',
    respondBy: 'Respond by',
    andMore: 'and {n} more',
    open: 'Open alarms',
    why: 'You receive this message by the rule “{rule}” of {organization}.',
    repeated: 'This message may have reached you before.',
    triggerStopped: 'Your trigger {trigger} does not run any more',
    stopped: {
      too_deep: 'One run led to another, more than five times.',
      repeated: 'It caused itself again and again.',
      too_many_runs: 'It ran more than 60 times in a minute.',
      right_lost: 'You have lost a right that it needs.',
      owner_gone: 'Its owner has left the organization.',
    },
    resume: 'It is switched off until somebody resumes it.',
    openTriggers: 'Open triggers',
  },
  de: {
    severities: ['Information', 'Niedrig', 'Niedrig', 'Mittel', 'Mittel', 'Hoch', 'Kritisch'],
    one: '[{severity}] {device}: {text}',
    many: '{n} Alarme an {device}, zuerst: {text}',
    over: 'Vorbei nach {duration}: {device}: {text}',
    manyOver: '{n} Alarme vorbei, zuerst: {device}: {text}',
    unacknowledged: 'Seit {minutes} min nicht quittiert: {device}: {text}',
    more: 'Und {n} weitere Nachrichten',
    moreText:
      '{n} weitere Nachrichten wurden nicht an Sie gesendet, weil Sie höchstens {most} pro Stunde erhalten. Sie stehen im Portal.',
    test: 'Testnachricht von Longreach',
    testText: 'Dies ist ein Test. Nachrichten dieses Kanals kommen hier an.',
    onCall: 'Sie haben Bereitschaft für {schedule} bis {time}',
    onCallText: 'Alarme des Bereitschaftsplans {schedule} kommen bis {time} zu Ihnen.',
    nobodyOnCall: 'Niemand in Bereitschaft',
    offCall: 'Ihre Bereitschaft für {schedule} ist zu Ende',
    offCallText: '{person} hat jetzt Bereitschaft für {schedule}.',
    offCallNobody: 'Jetzt hat niemand Bereitschaft für {schedule}.',
    gap: 'Niemand hat Bereitschaft für {schedule}',
    gapText:
      'Bis {time} hat niemand Bereitschaft für {schedule}. Eskalationen gehen sofort zum nächsten Schritt. Tragen Sie eine Person oder eine Vertretung ein.',
    gapOpenText:
      'Niemand hat Bereitschaft für {schedule}, und niemand folgt. Eskalationen gehen sofort zum nächsten Schritt. Tragen Sie eine Person oder eine Vertretung ein.',
    removedText:
      '{person} hat Bereitschaft für {schedule}, gehört aber nicht mehr zur Organisation. Eskalationen gehen sofort zum nächsten Schritt. Ändern Sie den Plan oder tragen Sie eine Vertretung ein.',
    note: 'Notiz von {person}: {note}',
    openAlarms: 'Offene Alarme: {n}',
    digest: 'Zusammenfassung: {open} offen, {over} vorbei',
    night: 'Letzte Nacht: {open} offen, {over} vorbei',
    failed: 'Eine Nachricht an {recipient} wurde nicht zugestellt',
    failedText:
      'Eine Nachricht der Regel „{rule}“ an {recipient} ({channel}) ist endgültig gescheitert. Die letzte Antwort war: {answer}',
    device: 'Gerät',
    since: 'Seit',
    overSince: 'Vorbei seit',
    value: 'Wert',
    limit: 'Grenzwert',
    consequence: 'Folge',
    response: 'Was zu tun ist',
    respondBy: 'Reagieren bis',
    andMore: 'und {n} weitere',
    open: 'Alarme öffnen',
    why: 'Sie erhalten diese Nachricht durch die Regel „{rule}“ von {organization}.',
    repeated: 'Diese Nachricht hat Sie möglicherweise schon erreicht.',
    triggerStopped: 'Ihr Trigger {trigger} läuft nicht mehr',
    stopped: {
      too_deep: 'Ein Lauf führte zum nächsten, mehr als fünfmal.',
      repeated: 'Er hat sich immer wieder selbst ausgelöst.',
      too_many_runs: 'Er lief mehr als 60-mal in einer Minute.',
      right_lost: 'Sie haben ein Recht verloren, das er braucht.',
      owner_gone: 'Sein Besitzer hat die Organisation verlassen.',
    },
    resume: 'Er ist abgeschaltet, bis ihn jemand fortsetzt.',
    openTriggers: 'Trigger öffnen',
  },
  es: {
    severities: ['Información', 'Baja', 'Baja', 'Media', 'Media', 'Alta', 'Crítica'],
    one: '[{severity}] {device}: {text}',
    many: '{n} alarmas en {device}, primera: {text}',
    over: 'Terminada tras {duration}: {device}: {text}',
    manyOver: '{n} alarmas terminadas, primera: {device}: {text}',
    unacknowledged: 'Sin reconocer desde hace {minutes} min: {device}: {text}',
    more: 'Y {n} mensajes más',
    moreText:
      'No se le enviaron {n} mensajes más, porque recibe como máximo {most} por hora. Están en el portal.',
    test: 'Mensaje de prueba de Longreach',
    testText: 'Esto es una prueba. Los mensajes de este canal llegan aquí.',
    onCall: 'Está de guardia para {schedule} hasta {time}',
    onCallText: 'Las alarmas de la guardia {schedule} le llegan hasta {time}.',
    nobodyOnCall: 'Nadie de guardia',
    offCall: 'Su guardia de {schedule} ha terminado',
    offCallText: '{person} está ahora de guardia para {schedule}.',
    offCallNobody: 'Ahora nadie está de guardia para {schedule}.',
    gap: 'Nadie está de guardia para {schedule}',
    gapText:
      'Nadie está de guardia para {schedule} hasta {time}. Los escalados pasan de inmediato al paso siguiente. Añada una persona o una sustitución.',
    gapOpenText:
      'Nadie está de guardia para {schedule} y no sigue ningún turno. Los escalados pasan de inmediato al paso siguiente. Añada una persona o una sustitución.',
    removedText:
      '{person} está de guardia para {schedule}, pero ya no está en la organización. Los escalados pasan de inmediato al paso siguiente. Cambie el plan o añada una sustitución.',
    note: 'Nota de {person}: {note}',
    openAlarms: 'Alarmas abiertas: {n}',
    digest: 'Resumen: {open} abiertas, {over} terminadas',
    night: 'Anoche: {open} abiertas, {over} terminadas',
    failed: 'No se entregó un mensaje a {recipient}',
    failedText:
      'Un mensaje de la regla «{rule}» a {recipient} ({channel}) falló definitivamente. La última respuesta fue: {answer}',
    device: 'Dispositivo',
    since: 'Desde',
    overSince: 'Terminada desde',
    value: 'Valor',
    limit: 'Límite',
    consequence: 'Consecuencia',
    response: 'Qué hacer',
    respondBy: 'Responder antes de',
    andMore: 'y {n} más',
    open: 'Abrir alarmas',
    why: 'Recibe este mensaje por la regla «{rule}» de {organization}.',
    repeated: 'Es posible que ya haya recibido este mensaje.',
    triggerStopped: 'Su disparador {trigger} ya no se ejecuta',
    stopped: {
      too_deep: 'Una ejecución llevó a otra, más de cinco veces.',
      repeated: 'Se provocó a sí mismo una y otra vez.',
      too_many_runs: 'Se ejecutó más de 60 veces en un minuto.',
      right_lost: 'Ha perdido un permiso que necesita.',
      owner_gone: 'Su propietario ha dejado la organización.',
    },
    resume: 'Está desactivado hasta que alguien lo reanude.',
    openTriggers: 'Abrir disparadores',
  },
  fr: {
    severities: ['Information', 'Faible', 'Faible', 'Moyenne', 'Moyenne', 'Élevée', 'Critique'],
    one: '[{severity}] {device} : {text}',
    many: '{n} alarmes sur {device}, première : {text}',
    over: 'Terminée après {duration} : {device} : {text}',
    manyOver: '{n} alarmes terminées, première : {device} : {text}',
    unacknowledged: 'Non acquittée depuis {minutes} min : {device} : {text}',
    more: 'Et {n} autres messages',
    moreText:
      '{n} autres messages ne vous ont pas été envoyés, car vous en recevez au plus {most} par heure. Ils sont dans le portail.',
    test: 'Message de test de Longreach',
    testText: 'Ceci est un test. Les messages de ce canal arrivent ici.',
    onCall: 'Vous êtes d’astreinte pour {schedule} jusqu’à {time}',
    onCallText: 'Les alarmes de l’astreinte {schedule} vous parviennent jusqu’à {time}.',
    nobodyOnCall: 'Personne d’astreinte',
    offCall: 'Votre astreinte pour {schedule} est terminée',
    offCallText: '{person} est maintenant d’astreinte pour {schedule}.',
    offCallNobody: 'Personne n’est maintenant d’astreinte pour {schedule}.',
    gap: 'Personne n’est d’astreinte pour {schedule}',
    gapText:
      'Personne n’est d’astreinte pour {schedule} jusqu’à {time}. Les escalades passent aussitôt à l’étape suivante. Ajoutez une personne ou un remplacement.',
    gapOpenText:
      'Personne n’est d’astreinte pour {schedule}, et aucun tour ne suit. Les escalades passent aussitôt à l’étape suivante. Ajoutez une personne ou un remplacement.',
    removedText:
      '{person} est d’astreinte pour {schedule}, mais n’est plus dans l’organisation. Les escalades passent aussitôt à l’étape suivante. Modifiez le planning ou ajoutez un remplacement.',
    note: 'Note de {person} : {note}',
    openAlarms: 'Alarmes ouvertes : {n}',
    digest: 'Résumé : {open} ouvertes, {over} terminées',
    night: 'Cette nuit : {open} ouvertes, {over} terminées',
    failed: 'Un message à {recipient} n’a pas été remis',
    failedText:
      'Un message de la règle « {rule} » à {recipient} ({channel}) a échoué définitivement. La dernière réponse était : {answer}',
    device: 'Appareil',
    since: 'Depuis',
    overSince: 'Terminée depuis',
    value: 'Valeur',
    limit: 'Limite',
    consequence: 'Conséquence',
    response: 'Que faire',
    respondBy: 'Réagir avant',
    andMore: 'et {n} autres',
    open: 'Ouvrir les alarmes',
    why: 'Vous recevez ce message par la règle « {rule} » de {organization}.',
    repeated: 'Ce message vous est peut-être déjà parvenu.',
    triggerStopped: 'Votre déclencheur {trigger} ne s’exécute plus',
    stopped: {
      too_deep: 'Une exécution en a entraîné une autre, plus de cinq fois.',
      repeated: 'Il s’est déclenché lui-même à répétition.',
      too_many_runs: 'Il s’est exécuté plus de 60 fois en une minute.',
      right_lost: 'Vous avez perdu un droit dont il a besoin.',
      owner_gone: 'Son propriétaire a quitté l’organisation.',
    },
    resume: 'Il est désactivé jusqu’à ce que quelqu’un le relance.',
    openTriggers: 'Ouvrir les déclencheurs',
  },
  it: {
    severities: ['Informazione', 'Bassa', 'Bassa', 'Media', 'Media', 'Alta', 'Critica'],
    one: '[{severity}] {device}: {text}',
    many: '{n} allarmi su {device}, primo: {text}',
    over: 'Terminato dopo {duration}: {device}: {text}',
    manyOver: '{n} allarmi terminati, primo: {device}: {text}',
    unacknowledged: 'Non riconosciuto da {minutes} min: {device}: {text}',
    more: 'E altri {n} messaggi',
    moreText:
      'Altri {n} messaggi non ti sono stati inviati, perché ne ricevi al massimo {most} all’ora. Sono nel portale.',
    test: 'Messaggio di prova di Longreach',
    testText: 'Questa è una prova. I messaggi di questo canale arrivano qui.',
    onCall: 'Sei di turno per {schedule} fino a {time}',
    onCallText: 'Gli allarmi del turno {schedule} arrivano a te fino a {time}.',
    nobodyOnCall: 'Nessuno di turno',
    offCall: 'Il tuo turno per {schedule} è finito',
    offCallText: 'Ora è di turno {person} per {schedule}.',
    offCallNobody: 'Ora nessuno è di turno per {schedule}.',
    gap: 'Nessuno è di turno per {schedule}',
    gapText:
      'Nessuno è di turno per {schedule} fino a {time}. Le escalation passano subito al passo successivo. Aggiungi una persona o una sostituzione.',
    gapOpenText:
      'Nessuno è di turno per {schedule} e non segue alcun turno. Le escalation passano subito al passo successivo. Aggiungi una persona o una sostituzione.',
    removedText:
      '{person} è di turno per {schedule}, ma non è più nell’organizzazione. Le escalation passano subito al passo successivo. Cambia il piano o aggiungi una sostituzione.',
    note: 'Nota di {person}: {note}',
    openAlarms: 'Allarmi aperti: {n}',
    digest: 'Riepilogo: {open} aperti, {over} terminati',
    night: 'La scorsa notte: {open} aperti, {over} terminati',
    failed: 'Un messaggio a {recipient} non è stato consegnato',
    failedText:
      'Un messaggio della regola “{rule}” a {recipient} ({channel}) è fallito definitivamente. L’ultima risposta è stata: {answer}',
    device: 'Dispositivo',
    since: 'Da',
    overSince: 'Terminato da',
    value: 'Valore',
    limit: 'Limite',
    consequence: 'Conseguenza',
    response: 'Cosa fare',
    respondBy: 'Rispondere entro',
    andMore: 'e altri {n}',
    open: 'Apri gli allarmi',
    why: 'Ricevi questo messaggio per la regola “{rule}” di {organization}.',
    repeated: 'Questo messaggio potrebbe esserti già arrivato.',
    triggerStopped: 'Il suo trigger {trigger} non viene più eseguito',
    stopped: {
      too_deep: 'Un’esecuzione ha portato a un’altra, più di cinque volte.',
      repeated: 'Ha causato sé stesso più volte.',
      too_many_runs: 'È stato eseguito più di 60 volte in un minuto.',
      right_lost: 'Ha perso un diritto di cui ha bisogno.',
      owner_gone: 'Il suo proprietario ha lasciato l’organizzazione.',
    },
    resume: 'È disattivato finché qualcuno non lo riprende.',
    openTriggers: 'Apri i trigger',
  },
}

/** Text with its placeholders filled. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
