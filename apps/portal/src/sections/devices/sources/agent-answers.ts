import { z } from 'zod'

const SourceHealth = z.object({
  state: z.enum(['starting', 'ok', 'partly', 'failed']),
  tags: z.number(),
  badTags: z.number(),
  rate: z.number(),
  lastError: z.string().optional(),
  lastErrorAt: z.number().optional(),
})

/** Replies of a gateway's agent to its commands, as far as they are shown. */
export const KeptSource = z.object({
  source: z.looseObject({
    name: z.string(),
    type: z.string(),
    tags: z.array(z.looseObject({ name: z.string() })).default([]),
  }),
  hasPassword: z.boolean(),
  health: SourceHealth.nullable(),
})
export type KeptSource = z.output<typeof KeptSource>

export const SourceListing = z.object({
  version: z.number(),
  changedAt: z.number().nullable(),
  canRestore: z.boolean(),
  configure: z.boolean(),
  sources: z.array(KeptSource),
})
export type SourceListing = z.output<typeof SourceListing>

const TestStep = z.object({
  step: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  ms: z.number(),
  /** Code of the step's message, for the reader's language; absent from agents of an earlier version. */
  code: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
export type TestStep = z.output<typeof TestStep>
export const TestAnswer = z.object({
  ok: z.boolean(),
  steps: z.array(TestStep),
  values: z.array(
    z.object({ tag: z.string(), value: z.unknown().optional(), reason: z.string().optional() }),
  ),
})
export type TestAnswer = z.output<typeof TestAnswer>

export const EndpointsAnswer = z.object({
  endpoints: z.array(
    z.object({
      url: z.string().nullable(),
      security: z.string(),
      policy: z.string(),
      users: z.array(z.string()),
      serverCertificate: z.string().nullable(),
      server: z.string().nullable(),
    }),
  ),
  agentCertificate: z.string(),
  /** Absent from agents of an earlier version. */
  agentCertificatePem: z.string().optional(),
})
export type Endpoint = z.output<typeof EndpointsAnswer>['endpoints'][number]

const Node = z.object({
  node: z.string(),
  name: z.string(),
  kind: z.enum(['object', 'variable', 'other']),
  dataType: z.string().optional(),
  value: z.unknown().optional(),
  writable: z.boolean().optional(),
  type: z.string().optional(),
  path: z.string().optional(),
})
export type Node = z.output<typeof Node>
export const BrowseAnswer = z.object({
  nodes: z.array(Node),
  more: z.boolean().optional(),
  namespaces: z.array(z.string()).optional(),
})
export const SearchAnswer = z.object({ nodes: z.array(Node), complete: z.boolean() })

export const ScanAnswer = z.object({
  complete: z.boolean(),
  units: z.array(
    z.object({
      unit: z.number(),
      answers: z.boolean(),
      areas: z.array(
        z.object({
          area: z.enum(['holding', 'input', 'coil', 'discrete']),
          refusal: z.string().optional(),
          found: z.array(
            z.object({
              address: z.number(),
              raw: z.union([z.number(), z.boolean()]),
              guesses: z.array(
                z.object({ type: z.string(), wordOrder: z.string(), value: z.unknown() }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
})
export type ScanAnswer = z.output<typeof ScanAnswer>

export const ListenAnswer = z.object({
  topics: z.array(
    z.object({
      topic: z.string(),
      count: z.number(),
      sample: z.string(),
      places: z.array(z.object({ path: z.string(), value: z.unknown(), type: z.string() })),
    }),
  ),
})

export const ListAnswer = z.object({
  more: z.boolean(),
  tags: z.array(
    z.object({
      tag: z.string(),
      program: z.string().nullable(),
      dataType: z.string(),
      type: z.string().optional(),
    }),
  ),
})

export const MemoryAnswer = z.object({
  places: z.array(
    z.object({
      offset: z.number(),
      guesses: z.array(z.object({ type: z.string(), value: z.number() })),
    }),
  ),
})
