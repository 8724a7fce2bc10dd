import { failure } from '@longreach/kit/errors'
import { platformContract } from '../contract.ts'
import { type Plan, planOf } from '../queries/query-plan.ts'
import { TagQuestion } from '../queries/tag-contract.ts'
import type { ExportQuestion } from './export-contract.ts'

/** Steps of an export: they are worked through piece by piece. */
const mostSteps = 2_000_000

/** Plan of what to read, by the rules of queries. `now` is the time of the request. */
export function exportPlan(question: ExportQuestion, now: number): Plan {
  const { since, to, timezone, aggregation, filterCondition } = question
  const asked = TagQuestion.safeParse({ since, to, timezone, aggregation, filterCondition })
  if (!asked.success) {
    const [issue] = asked.error.issues
    throw badExportQuery(String(issue?.path[0] ?? ''), issue?.message ?? '')
  }
  const planned = planOf(asked.data, now, mostSteps)
  if (!planned.ok) throw badExportQuery(planned.field, planned.message)
  // Nothing was measured before 1970, and a beginning is needed to count.
  return { ...planned.plan, since: Math.max(0, planned.plan.since) }
}

const badExportQuery = (field: string, message: string) =>
  failure(platformContract, 'bad_query', { message, field })
