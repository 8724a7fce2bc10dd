/** Nouns of things that have no permissions of their own, by the calls about them. */
const nouns = {
  alarms: {
    createRule: 'alarmRule',
    replaceRule: 'alarmRule',
    deleteRule: 'alarmRule',
    restoreRule: 'alarmRule',
    importRules: 'alarmRule',
    setOverride: 'ruleOverride',
    deleteOverride: 'ruleOverride',
    createShelf: 'shelf',
    shelveAlarms: 'shelf',
    changeShelf: 'shelf',
    liftShelf: 'shelf',
    saveAlarmSettings: 'alarmSettings',
    createAlarmView: 'alarmView',
    updateAlarmView: 'alarmView',
    deleteAlarmView: 'alarmView',
    setDefaultAlarmView: 'alarmView',
  },
  notifications: {
    createNotification: 'notificationRule',
    replaceNotification: 'notificationRule',
    deleteNotification: 'notificationRule',
    createChannel: 'channel',
    replaceChannel: 'channel',
    deleteChannel: 'channel',
    testChannel: 'channel',
    createEscalation: 'escalation',
    replaceEscalation: 'escalation',
    deleteEscalation: 'escalation',
    createSchedule: 'schedule',
    replaceSchedule: 'schedule',
    deleteSchedule: 'schedule',
    addOverride: 'schedule',
    setNote: 'schedule',
    makeCalendar: 'calendar',
    revokeCalendar: 'calendar',
    addPush: 'pushBrowser',
    removePush: 'pushBrowser',
    testPush: 'pushBrowser',
    setPreferences: 'notificationPreferences',
    sendAgain: 'delivery',
  },
  triggers: { setBlockedActions: 'blockedActions' },
} as const

type Nouns = typeof nouns
/** Noun of a kind of things, as `alarmRule`. */
export type AuditNoun = { [S in keyof Nouns]: Nouns[S][keyof Nouns[S]] }[keyof Nouns]

const byCall = new Map<string, AuditNoun>(
  Object.entries(nouns).flatMap(([service, calls]) =>
    Object.entries<AuditNoun>(calls).map(([name, noun]) => [`${service}.${name}`, noun] as const),
  ),
)

/** Noun of this name; undefined for a resource. */
export const nounNamed = (name: string) => [...byCall.values()].find((noun) => noun === name)

/** Calls about things of a noun. */
export const callsOf = (noun: AuditNoun) =>
  [...byCall].flatMap(([call, about]) => (about === noun ? [call] : []))

/** Resources whose rights also allow calls about things with a noun of their own. */
const wideResources = ['alarms', 'notifications', 'triggers', 'views']

/** Calls with the rights of a resource about things that have a noun of their own. */
export const callsBeside = (resource: string) =>
  wideResources.includes(resource) ? [...byCall.keys()] : []

/** Noun of what a call is about; undefined where that of its resource fits. */
export const nounOf = (call: string) => byCall.get(call)
