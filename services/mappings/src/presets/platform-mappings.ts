import type { Configuration, Leaf } from '@longreach/device-protocol/read-configuration'
import type { PlatformMapping } from './preset-contract.ts'

type Filter = {
  modeFilter?: PlatformMapping['mode'] | undefined
  modelPath?: string | undefined
}

/** Modes (read, write, history) of each path of a configuration for the platform, with the endpoint. */
export const mappingsOf = ({ leaves }: Configuration, { modeFilter, modelPath }: Filter) =>
  leaves
    .filter(({ path }) => modelPath === undefined || isUnder(modelPath, path))
    .flatMap(mappingsOfLeaf)
    .filter(({ mode }) => modeFilter === undefined || mode === modeFilter)

function mappingsOfLeaf({
  path,
  history,
  deviceEndpoint,
  serverEndpoint,
}: Leaf): PlatformMapping[] {
  const on = (endpoint: string | undefined, modes: PlatformMapping['mode'][]) =>
    endpoint === undefined ? [] : modes.map((mode) => ({ mode, modelPath: path, endpoint }))
  return [
    ...on(deviceEndpoint, history ? ['READ', 'READ_HISTORY'] : ['READ']),
    ...on(serverEndpoint, history ? ['WRITE', 'WRITE_HISTORY'] : ['WRITE']),
  ]
}

/** Is the path the pattern, or below it where the pattern ends in `**`? */
const isUnder = (pattern: string, path: string) =>
  pattern.endsWith('**') ? path.startsWith(pattern.slice(0, -2)) : path === pattern
