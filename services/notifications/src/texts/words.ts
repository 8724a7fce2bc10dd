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
  },
}

/** Text with its placeholders filled. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
