import { Asking } from '@longreach/core/asking-contract'
import { datatypes } from '@longreach/device-protocol/value'
import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, Issue, largestTree, mostTreeValues, tree } from '../asked-contract.ts'
import { FormulaWindows } from './formula-windows-contract.ts'
import { Rehearsed } from './rehearsed-contract.ts'

const Warning = z.object({
  /** Model path below the name: `zone/temperature`. */
  path: z.string(),
  rule: z.enum([
    'never_sent',
    'level_mode',
    'field_level',
    'field_missing',
    'deadband_of_text',
    'formula_ignored',
  ]),
  /** Of what is ignored: sampling, aggregation, reduce. */
  fields: z.array(z.string()).optional(),
})
export type Warning = z.output<typeof Warning>

const Change = z.object({
  path: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** Of a changed value: type, mode, historyPolicy, sendPolicy, datalink. */
  what: z.array(z.string()),
  /** The same, each with what it is now and what it is to be. */
  values: z.array(z.object({ key: z.string(), from: z.unknown(), to: z.unknown() })),
})
export type Change = z.output<typeof Change>

const TrialLeaf = Rehearsed.partial().extend({
  path: z.string(),
  /** The device's tag, with the indexes of arrays in their places; null for a formula. */
  source: z.string().nullable(),
  /** Path under which values of the tag are stored now; null when there are none to play. */
  from: z.string().nullable(),
  history: z.boolean(),
  /** Played with samples that came with the question. */
  sampled: z.boolean(),
  /**
   * Why there is nothing to show: the device was not asked for the tag, the caller may not see its
   * past, it sent nothing in this time, or a formula has no input with values.
   */
  missing: z.enum(['not_asked', 'not_allowed', 'no_values', 'no_inputs']).nullable(),
})
export type TrialLeaf = z.output<typeof TrialLeaf>

const judgement = {
  issues: z.array(Issue),
  warnings: z.array(Warning),
  /** Against the preset that is kept now; empty for a new one. */
  changes: z.array(Change),
  uses: z.object({
    devices: z.int(),
    applied: z.int(),
    /** Other presets of the same model that have some of the changed paths. */
    presets: z.array(z.object({ id: z.string(), name: z.string(), paths: z.int() })),
    /** Saved views that show some of the changed paths, those that the caller sees. */
    views: z.array(z.object({ id: z.string(), name: z.string(), paths: z.array(z.string()) })),
  }),
}

const TrialFormula = z.object({
  /** Model path below the name, in arrays with `[*]`. */
  path: z.string(),
  type: z.enum([...datatypes, 'struct']),
  history: z.boolean(),
  text: z.string(),
  windows: FormulaWindows.optional(),
})
export type TrialFormula = z.output<typeof TrialFormula>

/** Call that judges a preset for its trial; platform plays the device's values through it. */
export const presetJudgementEndpoints = {
  judgePreset: {
    method: 'POST',
    path: '/internal/presets/judgement',
    access: 'service',
    reads: true,
    largestBody: largestTree,
    mostValues: mostTreeValues,
    body: Asking.extend({
      data: tree,
      presetId: z.string().max(100).nullish(),
      deviceId: z.string().max(100).nullish(),
    }),
    result: z.object({
      ...judgement,
      /** The device and the compiled preset; null without a device, or when the preset has errors. */
      trial: z
        .object({
          label: z.string(),
          organization: z.string(),
          groups: z.array(z.int()),
          /** Text of the device's present configuration. */
          present: z.string().nullable(),
          /** Text of the configuration that the preset compiles to. */
          fresh: z.string(),
          formulas: z.array(TrialFormula),
        })
        .nullable(),
    }),
  },
} as const satisfies Record<string, Endpoint>

/** Endpoint that tries a preset before it is saved. Platform answers it, with the values of a device. */
export const presetTrialEndpoints = {
  dryRun: {
    method: 'POST',
    base: '/svc/mappings/api/v1',
    knownAs: 'mappings.dryRun',
    path: '/presets/dryRun',
    also: ['/mappings/dryRun'],
    access: 'models:read',
    reads: true,
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    query: inOrganization,
    body: z.object({
      data: tree,
      /** The preset that it is to replace. */
      presetId: z.string().max(100).nullish(),
      /** Its values of the last hours are played through the new preset. */
      deviceId: z.string().max(100).nullish(),
      hours: z.number().min(1).max(168).default(24),
      /** Values by tag, as the gateway has just read them, for tags of which none are stored. */
      samples: z
        .record(z.string().max(500), z.array(z.tuple([z.number(), z.unknown()])).max(1_000))
        .refine((samples) => Object.keys(samples).length <= 1_000, 'at most 1,000 tags')
        .nullish(),
    }),
    result: z.object({
      ...judgement,
      device: z
        .object({ deviceId: z.string(), label: z.string(), since: z.number(), to: z.number() })
        .nullable(),
      leaves: z.array(TrialLeaf),
      complete: z.boolean(),
    }),
  },
} as const
