import { agentTopics } from './agent-names.ts'
import {
  alarmsFrom,
  alarmsTo,
  baseInterfaces,
  configurationFrom,
  configurationTo,
} from './wire-names.ts'

/** Topics between one device and the platform. */
export function topicsOf(realm: string, logicalId: string) {
  const base = `${realm}/${logicalId}`
  return {
    /** Introspection, from the device. */
    base,
    /** Topic filter of everything that a device may publish or subscribe to. */
    all: `${base}/#`,
    emptyCache: `${base}/control/emptyCache`,
    consumerProperties: `${base}/control/consumer/properties`,
    applyConfiguration: `${base}/${configurationTo}/applyConfiguration`,
    configuration: `${base}/${configurationFrom}/configuration`,
    availableTags: `${base}/${configurationFrom}/availableTags`,
    alarm: `${base}/${alarmsFrom}/a`,
    alarmCommand: `${base}/${alarmsTo}/a`,
    agentCommand: `${base}${agentTopics.command}`,
    agentAnswer: `${base}${agentTopics.answer}`,
    agentHealth: `${base}${agentTopics.health}`,
    /** Topic of a `device_endpoint` or `server_endpoint`. */
    value: (endpoint: string) => `${base}${endpoint}`,
  }
}

type TopicKind =
  | 'introspection'
  | 'emptyCache'
  | 'configuration'
  | 'availableTags'
  | 'alarm'
  | 'agentAnswer'
  | 'agentHealth'
  | 'value'
type ParsedTopic = {
  realm: string
  logicalId: string
  kind: TopicKind
  /** `device_endpoint` of a value, with its leading slash. */
  endpoint?: string
}

const kinds = new Map<string, TopicKind>([
  ['', 'introspection'],
  ['/control/emptyCache', 'emptyCache'],
  [`/${configurationFrom}/configuration`, 'configuration'],
  [`/${configurationFrom}/availableTags`, 'availableTags'],
  [`/${alarmsFrom}/a`, 'alarm'],
  [agentTopics.answer, 'agentAnswer'],
  [agentTopics.health, 'agentHealth'],
])
const controlled = /^\/(?:control|com\.corvina\.control\.[^/]*|io\.longreach\.agent\.[^/]*)(?:\/|$)/

/** Endpoint check: reserved for the platform and its agents, so that no value may use it. */
export const isControlEndpoint = (endpoint: string) => controlled.test(endpoint)

/** Meaning of a topic on which a device publishes; undefined for any other topic. */
export function parseTopic(topic: string): ParsedTopic | undefined {
  const realmEnd = topic.indexOf('/')
  if (realmEnd <= 0) return undefined
  const slash = topic.indexOf('/', realmEnd + 1)
  const idEnd = slash === -1 ? topic.length : slash
  if (idEnd === realmEnd + 1) return undefined
  const realm = topic.slice(0, realmEnd)
  const logicalId = topic.slice(realmEnd + 1, idEnd)
  const rest = topic.slice(idEnd)
  const kind = kinds.get(rest)
  if (kind) return { realm, logicalId, kind }
  // `/<interface>/<path>`, and none of the control interfaces.
  if (controlled.test(rest) || rest.indexOf('/', 1) < 2 || rest.endsWith('/')) return undefined
  return { realm, logicalId, kind: 'value', endpoint: rest }
}

type InterfaceVersion = { name: string; major: number; minor: number }

/** Introspection text of a device: the base interfaces, then those of its configuration. */
export const introspectionOf = (applied: readonly InterfaceVersion[] = []) =>
  [...baseInterfaces, ...applied]
    .map(({ name, major, minor }) => `${name}:${major}:${minor}`)
    .join(';')

/** Interfaces of an introspection text; undefined when it is not `name:major:minor;…`. */
export function parseIntrospection(text: string): InterfaceVersion[] | undefined {
  if (text === '') return []
  const found: InterfaceVersion[] = []
  for (const part of text.split(';')) {
    const match = /^([\w.-]{1,200}):(\d{1,6}):(\d{1,6})$/.exec(part)
    if (!match) return undefined
    found.push({ name: match[1] ?? '', major: Number(match[2]), minor: Number(match[3]) })
  }
  return found
}
