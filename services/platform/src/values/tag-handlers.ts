import { Readable } from 'node:stream'
import { failure } from '@longreach/kit/errors'
import { createTurns } from '@longreach/kit/turns'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import type { TagQuestion } from '../queries/tag-contract.ts'
import { type Device, limitsOf, wordsInGroup } from '../devices/device.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import { deviceFor } from '../devices/device-access.ts'
import { createConsole } from '../devices/device-console.ts'
import { listDevicesOfGroup, devicesOfLabel } from '../devices/device-listing.ts'
import { frameTest, valueAccess } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { answersOf } from '../queries/query-answers.ts'
import { replyWithTags } from '../queries/query-format.ts'
import { costlyFrom, estimateReadValues } from '../queries/costly-queries.ts'
import { narrowed } from '../queries/query-narrowed.ts'
import { StepTooLarge } from '../queries/query-figures.ts'
import { planOf } from '../queries/query-plan.ts'
import type { Source } from '../queries/query-source.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { lastValues } from '../devices/last-values.ts'

type TagHandlers = Pick<
  Handlers<typeof platformContract>,
  'tags' | 'queryTags' | 'tagsByName' | 'tagsOfGroup' | 'series' | 'console'
>

type Known = DevicesState & { telemetry: OpenTelemetry }

/** Values: read, in every form. */
export function tagHandlers({ directory, telemetry }: Known, deps: PlatformDeps): TagHandlers {
  const answer = answering(telemetry)

  return {
    tags: async ({ params: { deviceId }, query }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      return answer(ctx, [sourceOf(ctx, device, query)], query)
    },

    queryTags: async ({ body }, ctx) => {
      const sources: Source[] = []
      for (const { deviceId, ...named } of body.sources) {
        sources.push(sourceOf(ctx, await deviceFor(directory, ctx, deviceId), named))
      }
      return answer(ctx, sources, body)
    },

    tagsByName: async ({ params: { name }, query }, ctx) => {
      const ids = await devicesOfLabel(deps.db, ctx.organization.resourceId, name)
      const sources = await visible(ids, ctx, query.modelPath)
      if (sources.length === 0) {
        throw failure(platformContract, 'not_found', {
          message: `no device is called ${name} here`,
        })
      }
      return answer(ctx, sources, query)
    },

    tagsOfGroup: async ({ params: { group }, query }, ctx) => {
      const ids = await listDevicesOfGroup(deps.db, ctx.organization.resourceId, group)
      return answer(ctx, await visible(ids, ctx, query.modelPath), query)
    },

    series: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const access = valueAccess(ctx, device)
      const targets = [...device.byPath.values()].filter(({ leaf }) => access.last(leaf.path))
      const last = await withStorageErrors(async () =>
        lastValues(await telemetry(), device, targets),
      )
      return targets.map((target) => {
        const { path, type, mode } = target.leaf
        const told = {
          modelPath: path,
          type,
          mode,
          ...wordsInGroup(device, path),
          ...limitsOf(device, path),
        }
        return { ...told, last: last.get(target) ?? null }
      })
    },

    console: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      const now = deps.now().getTime()
      device.console ??= createConsole(now)
      device.console.until = createConsole(now).until
      return device.console.frames.filter(frameTest(ctx, device))
    },
  }

  async function visible(ids: readonly string[], ctx: OrgCtx, modelPath: string) {
    const sources: Source[] = []
    for (const id of ids) {
      const device = await directory.get(id)
      if (device && canInSight(ctx, 'read', device)) {
        sources.push(sourceOf(ctx, device, { modelPath }))
      }
    }
    return sources
  }
}

/** Answers queries for values: planned, counted, and one after the other where many values are read. */
function answering(telemetry: OpenTelemetry) {
  const turns = createTurns()

  return async (ctx: OrgCtx, sources: Source[], question: TagQuestion) => {
    const now = ctx.now.getTime()
    const bounded = await withStorageErrors(async () =>
      narrowed(await telemetry(), sources, question, now),
    )
    const planned = planOf(bounded, now)
    if (!planned.ok) throw badTagQuery(planned.field, planned.message)
    const timeout = AbortSignal.timeout(question.queryTimeout)
    const signal = AbortSignal.any([ctx.signal, timeout])
    // The first part of the answer is read here too, so that a fault in it has its status.
    return withStorageErrors(async () => {
      const store = await telemetry()
      const values = await estimateReadValues(store, sources, planned.plan, signal)
      const done = values < costlyFrom ? undefined : await turns.take(ctx.caller.sub, signal)
      try {
        const answers = await answersOf(store, sources, planned.plan, signal)
        const reply = await replyWithTags(answers, question, signal)
        if (done && reply.body instanceof Readable) reply.body.once('close', done)
        return reply
      } catch (error) {
        done?.()
        throw error instanceof StepTooLarge ? stepTooLarge() : error
      }
    })
  }
}

type Named = { modelPath: string; tagName?: string | undefined }
const sourceOf = (ctx: OrgCtx, device: Device, { modelPath, tagName }: Named): Source => ({
  device,
  modelPath,
  tagName,
  access: valueAccess(ctx, device),
})

const badTagQuery = (field: string, message: string) =>
  failure(platformContract, 'bad_query', { message, field })

const stepTooLarge = () =>
  failure(platformContract, 'too_large', {
    message: 'too many values in one step for this figure; take shorter steps',
    field: 'aggregation',
  })
