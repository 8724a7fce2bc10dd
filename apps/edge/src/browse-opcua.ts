import type { ReferenceDescription } from 'node-opcua-client'
import type { Logger } from 'pino'
import { CommandFault } from './command-fault.ts'
import {
  fingerprint,
  opcuaClientFor,
  type OpcuaSession,
  openOpcua,
  ownCertificate,
} from './opcua-session.ts'
import { messageOf } from './retry.ts'
import { plain } from './source-opcua.ts'
import type { SourceConnection } from './source-settings.ts'

type Context = { log: Logger; dataDir: string }
export type BrowsedNode = {
  node: string
  name: string
  kind: 'object' | 'variable' | 'other'
  /** Data type of a variable. */
  dataType?: string
  value?: unknown
  writable?: boolean
  /** Tag type for it; absent when no tag can hold it. */
  type?: 'double' | 'integer' | 'boolean' | 'string'
  /** Path of a search result: the names above it. */
  path?: string
}

const [mostChildren, mostVisited, mostFound, searchMs] = [1_000, 5_000, 100, 12_000]
const opcuaPort = 'opc.tcp://'

/** Endpoints of a server, with their security and ways to sign in. */
export async function opcuaEndpoints(url: string, { log, dataDir }: Context) {
  if (!url.startsWith(opcuaPort)) {
    throw new CommandFault('invalid', 'an OPC UA address starts with opc.tcp://', 'url')
  }
  const settings = {
    type: 'opcua',
    name: 'endpoints',
    url,
    security: 'None',
    policy: 'Basic256Sha256',
  } as const
  const tell = (message: string) => log.debug(message)
  const options = { dataDir, tell }
  const { library, client } = await opcuaClientFor({ ...settings, samplingMs: 500 }, options)
  try {
    await client.connect(url)
    const endpoints = await client.getEndpoints()
    const own = ownCertificate(client)
    return {
      endpoints: endpoints
        .filter(({ endpointUrl }) => endpointUrl?.startsWith(opcuaPort))
        .map((one) => ({
          url: one.endpointUrl,
          security: library.MessageSecurityMode[one.securityMode],
          policy: one.securityPolicyUri?.split('#')[1] ?? 'None',
          level: one.securityLevel,
          users: [
            ...new Set(
              (one.userIdentityTokens ?? []).map(
                ({ tokenType }) => library.UserTokenType[tokenType],
              ),
            ),
          ],
          serverCertificate: one.serverCertificate?.length
            ? fingerprint(one.serverCertificate)
            : null,
          server: one.server.applicationName.text,
        }))
        .toSorted((a, b) => b.level - a.level),
      agentCertificate: own.fingerprint,
      agentCertificatePem: own.pem,
    }
  } catch (error) {
    throw new CommandFault('unreachable', messageOf(error), 'url')
  } finally {
    await client.disconnect()
  }
}

async function inSession<T>(
  source: SourceConnection,
  { log, dataDir }: Context,
  work: (session: OpcuaSession) => Promise<T>,
): Promise<T> {
  if (source.type !== 'opcua') {
    throw new CommandFault('invalid', 'only an OPC UA source can be browsed', 'source.type')
  }
  let session: OpcuaSession
  try {
    session = await openOpcua(source, { dataDir, tell: (message) => log.debug(message) })
  } catch (error) {
    throw new CommandFault('unreachable', messageOf(error), 'source.url')
  }
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** Children of a node with types and values; at the root also the server's namespaces. */
export const browseOpcua = (source: SourceConnection, node: string | undefined, context: Context) =>
  inSession(source, context, async (opened) => {
    const { references, more } = await childrenOf(opened, node ?? 'ObjectsFolder')
    return {
      nodes: await described(opened, references),
      more,
      ...(node === undefined && { namespaces: await opened.session.readNamespaceArray() }),
    }
  })

type Found = { reference: ReferenceDescription; path: string }
type Search = { wanted: string; until: number; seen: Set<string>; found: Found[] }
type Level = { node: string; path: string }[]

/** Variables whose name or id contains the text, searched level by level until there are enough. */
export const searchOpcua = (source: SourceConnection, text: string, context: Context) =>
  inSession(source, context, async (opened) => {
    const until = Date.now() + searchMs
    const search: Search = { wanted: text.toLowerCase(), until, seen: new Set(), found: [] }
    let level: Level = [{ node: 'ObjectsFolder', path: '' }]
    while (level.length > 0 && !isEnough(search)) level = await nextLevel(opened, level, search)
    const { found, seen } = search
    const first = found.slice(0, mostFound)
    const nodes = await described(
      opened,
      first.map(({ reference }) => reference),
    )
    return {
      nodes: nodes.map((one, index) => ({ ...one, path: first[index]?.path ?? '' })),
      complete: level.length === 0,
      visited: seen.size,
    }
  })

const isEnough = ({ found, seen, until }: Search) =>
  found.length >= mostFound || seen.size >= mostVisited || Date.now() >= until

/** Searches one level; returns the nodes of the next. */
async function nextLevel(opened: OpcuaSession, level: Level, search: Search): Promise<Level> {
  const next: Level = []
  for (const { node, path } of level) {
    if (isEnough(search)) return next
    const { references } = await childrenOf(opened, node)
    for (const reference of references) {
      const id = reference.nodeId.toString()
      if (search.seen.has(id)) continue
      search.seen.add(id)
      const name = displayNameOf(reference)
      if (isHit(reference, opened, search)) search.found.push({ reference, path })
      // The server's own diagnostics are seldom useful for a machine.
      if (id !== diagnostics)
        next.push({ node: id, path: path === '' ? name : `${path} / ${name}` })
    }
  }
  return next
}

const diagnostics = 'ns=0;i=2253'
const isHit = (reference: ReferenceDescription, opened: OpcuaSession, { wanted }: Search) =>
  kindOf(reference, opened) === 'variable' &&
  [displayNameOf(reference), reference.nodeId.toString()].some((one) =>
    one.toLowerCase().includes(wanted),
  )

const displayNameOf = ({ displayName, browseName }: ReferenceDescription) =>
  displayName.text || browseName.name || ''

async function childrenOf({ session, library }: OpcuaSession, node: string) {
  const { BrowseDirection, resolveNodeId } = library
  const result = await session.browse({
    nodeId: resolveNodeId(node),
    browseDirection: BrowseDirection.Forward,
    referenceTypeId: resolveNodeId('HierarchicalReferences'),
    includeSubtypes: true,
    nodeClassMask: 0,
    resultMask: 63,
  })
  if (!result.statusCode.isGood()) {
    throw new CommandFault(
      'failed',
      `the server does not show ${node}: ${result.statusCode.name}`,
      'node',
    )
  }
  const references = [...(result.references ?? [])]
  let point = result.continuationPoint
  while (point && point.length > 0 && references.length < mostChildren) {
    const next = await session.browseNext(point, false)
    references.push(...(next.references ?? []))
    point = next.continuationPoint
  }
  if (point && point.length > 0) await session.browseNext(point, true)
  return { references: references.slice(0, mostChildren), more: references.length >= mostChildren }
}

function kindOf(
  { nodeClass }: ReferenceDescription,
  { library }: OpcuaSession,
): BrowsedNode['kind'] {
  const { Variable, Object: Folder } = library.NodeClass
  const kinds = new Map<number, BrowsedNode['kind']>([
    [Variable, 'variable'],
    [Folder, 'object'],
  ])
  return kinds.get(nodeClass) ?? 'other'
}

/** Names, and for variables data type, value and writability, in one read request. */
async function described(opened: OpcuaSession, references: readonly ReferenceDescription[]) {
  const { session, library } = opened
  const { AttributeIds, DataType, AccessLevelFlag } = library
  const variables = references.filter((one) => kindOf(one, opened) === 'variable')
  const asked = variables.flatMap(({ nodeId }) => [
    { nodeId, attributeId: AttributeIds.Value },
    { nodeId, attributeId: AttributeIds.UserAccessLevel },
  ])
  const answers = asked.length > 0 ? await session.read(asked) : []
  return references.map((reference): BrowsedNode => {
    const kind = kindOf(reference, opened)
    const facts = { node: reference.nodeId.toString(), name: displayNameOf(reference), kind }
    const index = variables.indexOf(reference)
    if (index === -1) return facts
    const [value, access] = [answers[index * 2], answers[index * 2 + 1]]
    const variant = value?.value
    const shown = variant === undefined ? undefined : plain(variant.value as unknown)
    const type =
      variant && variant.arrayType === library.VariantArrayType.Scalar
        ? tagType(variant.dataType, library)
        : undefined
    const flags = Number(access?.value.value ?? 0)
    return {
      ...facts,
      writable: (flags & AccessLevelFlag.CurrentWrite) !== 0,
      ...(variant && { dataType: DataType[variant.dataType] }),
      ...(shown !== undefined && {
        value: typeof shown === 'string' ? shown.slice(0, 200) : shown,
      }),
      ...(type && { type }),
    }
  })
}

function tagType(dataType: number, { DataType }: OpcuaSession['library']): BrowsedNode['type'] {
  const plainly = new Map<number, BrowsedNode['type']>([
    [DataType.Boolean, 'boolean'],
    [DataType.String, 'string'],
    [DataType.LocalizedText, 'string'],
    [DataType.Float, 'double'],
    [DataType.Double, 'double'],
  ])
  const known = plainly.get(dataType)
  if (known) return known
  const whole: number[] = [
    DataType.SByte,
    DataType.Byte,
    DataType.Int16,
    DataType.UInt16,
    DataType.Int32,
  ]
  if (whole.includes(dataType)) return 'integer'
  // Types beyond signed 32 bits; times are numbers of milliseconds.
  const wide: number[] = [DataType.UInt32, DataType.Int64, DataType.UInt64, DataType.DateTime]
  return wide.includes(dataType) ? 'double' : undefined
}
