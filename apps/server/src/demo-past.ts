import { demoHistory, demoHistoryTags } from '@longreach/edge/demo-history'
import { ovenModel, pumpsModel } from '@longreach/edge/demo-models'
import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import type { DemoMachine } from './demo-machines.ts'
import { ownerOf, type SeededPerson } from './demo-seed.ts'

const dayMs = 86_400_000
const days = 30
const stepMs = 60_000

type Node = {
  datalink?: { source?: string }
  properties?: Record<string, Node>
  instanceOf?: string
}

/** Write thirty days of made-up history for some tags, through the same call as any import. */
export async function writePast(
  server: Composed,
  people: readonly SeededPerson[],
  machines: readonly DemoMachine[],
) {
  const to = Date.now()
  for (const [name, model] of [['oven', ovenModel] as const, ['pumps', pumpsModel] as const]) {
    const machine = machines.find((one) => one.name === name)
    if (!machine) continue
    const { organization: org, deviceId } = machine
    const owner = ownerOf(people, org)
    const platform = client(platformContract, await server.fetchAsPerson(owner))
    const paths = pathsOf(model().preset.data)
    for (const tag of demoHistoryTags) {
      const modelPath = paths.get(tag)
      if (modelPath === undefined) continue
      const samples = demoHistory(tag, to - days * dayMs, to, stepMs)
      const data = Array.from(samples, ({ t, v }): [number, number] => [t, v])
      await platform.bulkInsertTags({
        params: { org },
        query: {},
        body: [{ deviceId, modelPath, data }],
      })
    }
  }
}

/** Model path by the tag that feeds it: `oven.zone1.temperature` → `OvenLine:1/zone1/temperature`. */
function pathsOf(root: Node) {
  const paths = new Map<string, string>()
  const walk = (node: Node, path: string) => {
    if (node.datalink?.source !== undefined) paths.set(node.datalink.source, path)
    for (const [name, child] of Object.entries(node.properties ?? {}))
      walk(child, `${path}/${name}`)
  }
  walk(root, (root.instanceOf ?? '').split('.')[0] ?? '')
  return paths
}
