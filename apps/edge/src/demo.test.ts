import { leavesOf as leavesOfRule } from '@longreach/rules/rule'
import { expect, test } from 'vitest'
import { judgeModel } from '../../../services/mappings/src/models/model-rules.ts'
import { usualLeastMs } from '../../portal/src/sections/presets/policy-rules.ts'
import { judgePreset } from '../../../services/mappings/src/presets/preset-rules.ts'
import { ovenAgent, pumpsAgent, hostAgent } from './demo-agents.ts'
import { hostModel, ovenModel, pumpsModel, tunnelOvenModel } from './demo-models.ts'
import { checkSettings } from './settings.ts'

const connection = { activationKey: 'AAAA-BBBB', endpoint: 'http://localhost:8080' }
type Node = {
  type: string
  mode?: string
  label?: string
  unit?: string
  min?: number
  max?: number
  sendPolicy?: { triggers: { minIntervalMs?: number }[] }
  datalink?: { source: string }
  properties?: Record<string, Node>
}

function leavesOf(node: Node, path = ''): [string, Node][] {
  if (!node.properties) return [[path, node]]
  return Object.entries(node.properties).flatMap(([name, child]) =>
    leavesOf(child, path === '' ? name : `${path}/${name}`),
  )
}

test('every data link of the demo presets names a tag of its agent', () => {
  const machines = [
    [ovenModel(), ovenAgent(connection, 5020)],
    [pumpsModel(), pumpsAgent(connection, 4840)],
  ] as const
  for (const [{ model, preset }, agent] of machines) {
    const [source] = checkSettings(agent).sources
    const tags = new Map(
      (source && 'tags' in source ? source.tags : []).map(
        ({ name, writable }: { name: string; writable?: boolean }) => [name, writable],
      ),
    )
    const leaves = leavesOf(preset.data as Node)
    expect(leaves.length).toBe(tags.size)
    for (const [, { mode, datalink }] of leaves) {
      expect(tags.get(datalink?.source ?? '')).toBe(mode === 'RW')
    }
    expect(leavesOf(model.data as Node).map(([path]) => path)).toEqual(leaves.map(([path]) => path))
  }
  expect(checkSettings(hostAgent(connection)).sources[0]?.type).toBe('host')
  expect(
    leavesOf(hostModel().preset.data as Node).map(([, { datalink }]) => datalink?.source),
  ).toContain('host.cpu.load')
})

test('the alarms of the demo agent name tags that it reads', () => {
  const { alarms, sources } = checkSettings(pumpsAgent(connection, 4840))
  const tags = new Set(
    sources.flatMap((source) => ('tags' in source ? source.tags.map(({ name }) => name) : [])),
  )
  const named = alarms.flatMap(({ rule }) =>
    rule.kind === 'condition' ? leavesOfRule(rule.when, 'when').map(({ leaf }) => leaf.path) : [],
  )
  expect(alarms).toHaveLength(3)
  expect(named.filter((path) => !tags.has(path ?? ''))).toEqual([])
})

test('every value and every part of the demo models has a name, and what is measured has limits [C-26]', () => {
  for (const { model } of [ovenModel(), tunnelOvenModel(), pumpsModel()]) {
    const root = model.data as Node
    for (const [name, part] of Object.entries(root.properties ?? {})) {
      expect(part.label).not.toBe(name)
      expect(part.label).toBeTruthy()
    }
    for (const [path, { type, min, max }] of leavesOf(root)) {
      if (type === 'double') expect([path, (min ?? NaN) < (max ?? NaN)]).toEqual([path, true])
    }
  }
})

test('no demo preset sends faster than an editor without the feature for fast values takes [C-26]', () => {
  const presets = [ovenModel(), tunnelOvenModel(), pumpsModel(), hostModel()]
  for (const { preset } of presets) {
    for (const [path, { sendPolicy }] of leavesOf(preset.data as Node)) {
      const fastest = Math.min(
        ...(sendPolicy?.triggers ?? []).map((one) => one.minIntervalMs ?? 1e9),
      )
      expect([path, fastest]).toEqual([path, Math.max(fastest, usualLeastMs)])
    }
  }
})

test('the platform finds nothing wrong with the demo models and presets', () => {
  for (const { model, preset } of [ovenModel(), pumpsModel(), hostModel()]) {
    expect(judgeModel(model.data).issues).toEqual([])
    expect(judgePreset(preset.data, model.data)).toMatchObject({ issues: [], missing: [] })
  }
})
