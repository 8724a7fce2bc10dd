export const sourceTypes = ['modbus', 'opcua', 'mqtt', 's7', 'ethernetip'] as const
export type SourceType = (typeof sourceTypes)[number]
export type Tag = { name: string } & Record<string, unknown>
export type Draft = { type: SourceType; name: string; tags: Tag[] } & Record<string, unknown>

type FieldKey =
  | 'host'
  | 'port'
  | 'unit'
  | 'pollMs'
  | 'wordOrder'
  | 'url'
  | 'security'
  | 'policy'
  | 'username'
  | 'password'
  | 'rack'
  | 'slot'

type Field = {
  /** Name in the configuration of the source, and part of the message id `gateway.field.{key}`. */
  key: FieldKey
  kind: 'text' | 'number' | 'password' | 'select'
  options?: readonly string[]
  placeholder?: string
  optional?: boolean
  /** Shown only when the draft says so. */
  when?: (draft: Draft) => boolean
}

const host: Field = { key: 'host', kind: 'text', placeholder: '192.168.0.10' }
const login: Field[] = [
  { key: 'username', kind: 'text', optional: true },
  { key: 'password', kind: 'password', optional: true },
]
const pollMs: Field = { key: 'pollMs', kind: 'number' }
const orders = ['ABCD', 'CDAB', 'BADC', 'DCBA']

/** Fields of the connection to a machine, by its kind. */
export const fieldsOf: Record<SourceType, readonly Field[]> = {
  modbus: [
    host,
    { key: 'port', kind: 'number' },
    { key: 'unit', kind: 'number' },
    pollMs,
    { key: 'wordOrder', kind: 'select', options: orders },
  ],
  opcua: [
    { key: 'url', kind: 'text', placeholder: 'opc.tcp://192.168.0.10:4840' },
    { key: 'security', kind: 'select', options: ['None', 'Sign', 'SignAndEncrypt'] },
    {
      key: 'policy',
      kind: 'select',
      options: ['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'],
      when: ({ security }) => security !== 'None',
    },
    ...login,
  ],
  mqtt: [{ key: 'url', kind: 'text', placeholder: 'mqtt://192.168.0.10:1883' }, ...login],
  s7: [
    host,
    { key: 'port', kind: 'number' },
    { key: 'rack', kind: 'number' },
    { key: 'slot', kind: 'number' },
    pollMs,
  ],
  ethernetip: [host, { key: 'slot', kind: 'number' }, pollMs],
}

const defaultSettings: Record<SourceType, Record<string, unknown>> = {
  modbus: { port: 502, unit: 1, pollMs: 1_000, wordOrder: 'ABCD' },
  opcua: { security: 'None', policy: 'Basic256Sha256' },
  mqtt: {},
  s7: { port: 102, rack: 0, slot: 1, pollMs: 1_000 },
  ethernetip: { slot: 0, pollMs: 1_000 },
}

/** A source of a kind with the usual values, under a name that is free. */
export function newDraft(type: SourceType, taken: readonly string[]): Draft {
  let name: string = type
  for (let number = 2; taken.includes(name); number++) name = `${type}-${number}`
  return { type, name, tags: [], ...defaultSettings[type] }
}

export const isSourceType = (type: string): type is SourceType =>
  (sourceTypes as readonly string[]).includes(type)

/** The source as it is sent: without what is empty. */
export const cleaned = (draft: Draft): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== '' && value !== undefined),
  )

/** Key of the tag's place in the machine, independent of its name: equal for equal places. */
export function addressKeyOf(tag: Tag): string {
  const {
    area,
    address,
    unit,
    db,
    offset,
    bit,
    node,
    topic,
    path,
    tag: controllerTag,
    program,
  } = tag
  return JSON.stringify([
    area,
    address,
    unit,
    db,
    offset,
    bit,
    node,
    topic,
    path,
    controllerTag,
    program,
  ])
}

/** The same for people: `holding 12`, `DB4.8`, a node id, a topic. */
export function placeText(tag: Tag): string {
  const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))
  if (tag['node'] !== undefined) return text(tag['node'])
  if (tag['topic'] !== undefined) return [tag['topic'], tag['path']].filter(Boolean).join(' → ')
  if (tag['tag'] !== undefined) return [tag['program'], tag['tag']].filter(Boolean).join('.')
  if (tag['offset'] !== undefined) {
    const bit = tag['type'] === 'bool' ? `.${text(tag['bit'] ?? 0)}` : ''
    return `${text(tag['area'])}${text(tag['db'])} ${text(tag['offset'])}${bit}`
  }
  return `${text(tag['area'])} ${text(tag['address'])}${tag['unit'] === undefined ? '' : ` @${text(tag['unit'])}`}`
}

/** A name that the agent takes: letters, digits, `.`, `-` and `_`, and that no other tag has. */
export function tagName(wanted: string, taken: ReadonlySet<string>): string {
  const text = wanted
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 190)
  const base = /^[A-Za-z_]/.test(text) ? text : `t${text}`
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`
  return name
}

/** The draft with a tag more, or without it when its place is there already. */
export function toggled(draft: Draft, tag: Tag, taken: ReadonlySet<string>): Draft {
  const place = addressKeyOf(tag)
  const left = draft.tags.filter((one) => addressKeyOf(one) !== place)
  if (left.length < draft.tags.length) return { ...draft, tags: left }
  const names = new Set([...taken, ...draft.tags.map(({ name }) => name)])
  return { ...draft, tags: [...draft.tags, { ...tag, name: tagName(tag.name, names) }] }
}

/** The part of the draft that the agent refused: `host`, or the tag at a place of the list. */
export function refusedPart(field: string | undefined): { key?: string; tag?: number } {
  // Of a whole list the source's number comes first, of a tested one `source`.
  const path = (field ?? '')
    .split('.')
    .filter((part, index) => index > 0 || !/^(\d+|source)$/.test(part))
  if (path[0] === 'tags' && path[1] !== undefined) return { tag: Number(path[1]) }
  return path[0] ? { key: path[0] } : {}
}
