import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { CallerCtx, Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { lockOrganization } from '../organizations/organization-store.ts'
import type { agreementEndpoints } from './agreement-contract.ts'
import { versionsInForce, saysSomething, serviceOf } from './agreement-rules.ts'
import {
  acceptancesOf,
  type AgreementRow,
  countAcceptances,
  findAgreement,
  insertAcceptances,
  insertAgreement,
  listAgreements,
  searchAcceptances,
  updateAgreement,
} from './agreement-store.ts'

type AgreementHandlers = Pick<Handlers<typeof coreContract>, keyof typeof agreementEndpoints>

export const agreementHandlers = (deps: CoreDeps): AgreementHandlers => ({
  ...accepting(deps),
  ...agreementAdminHandlers(deps),
})

const accepting = ({ db }: CoreDeps) =>
  ({
    agreementsLast: async ({ query: { serviceName } }, { caller, now }) => {
      const current = await currentOf(db, caller.realm, { serviceName, now })
      const accepted = await acceptancesOf(db, caller.realm, caller.sub)
      return current.map((row) => shownTo(row, accepted))
    },

    agreementsCheck: async ({ query: { serviceName } }, { caller, now }) => {
      const current = await currentOf(db, caller.realm, { serviceName, now })
      const accepted = await acceptancesOf(db, caller.realm, caller.sub)
      const open = current.filter(({ id }) => !accepted.has(id))
      return { types: [...new Set(open.map(({ type }) => type))] }
    },

    acceptAgreements: async ({ body }, ctx) => {
      checkOwnSession(ctx)
      const { caller, now, ip } = ctx
      const ids = [...new Set(body.ids)]
      const current = await currentOf(db, caller.realm, { now })
      const chosen = current.filter(({ id }) => ids.includes(id))
      for (const id of ids) {
        if (!chosen.some((one) => one.id === id)) throw await notInForce(db, caller.realm, id)
      }
      const { sub, username } = caller
      await insertAcceptances(db, ids, { sub, username, accepted_at: now, ip })
      const accepted = await acceptancesOf(db, caller.realm, sub)
      return chosen.map((row) => shownTo(row, accepted))
    },
  }) satisfies Partial<AgreementHandlers>

const agreementAdminHandlers = ({ db }: CoreDeps) =>
  ({
    agreements: async (_, ctx) => {
      const realm = realmOf(ctx)
      const counts = await countAcceptances(db, realm)
      return (await listAgreements(db, realm)).map((row) => toAdministeredAgreement(row, counts))
    },

    createAgreement: async ({ body }, ctx) => {
      const realm = realmOf(ctx)
      const { now, caller } = ctx
      const { validityStart: start = now, validityEnd: end } = body
      if (end !== null && end <= start)
        throw agreementRefused('validityEnd', 'ends_before', 'It would end before it begins')
      if (!saysSomething(body))
        throw agreementRefused('texts', 'no_text', 'Give a text or a link to read it at')
      return db.transaction().execute(async (tx) => {
        await lockOrganization(tx, ctx.organization.id)
        const row = await insertAgreement(tx, {
          realm,
          service_name: serviceOf(body),
          type: body.type,
          default_name: body.defaultName,
          acceptance_field: body.acceptanceField,
          link: body.link,
          texts: body.texts,
          mandatory: body.mandatory,
          validity_start: start,
          validity_end: end,
          created_at: now,
          created_by: caller.username,
        })
        const after = { type: row.type, version: row.version, mandatory: row.mandatory }
        await recordChange(tx, ctx, { ...what(row), action: 'create', after })
        return toAdministeredAgreement(row)
      })
    },

    changeAgreement: async ({ params, body }, ctx) => {
      const realm = realmOf(ctx)
      const { disabled, validityEnd: end } = body
      return db.transaction().execute(async (tx) => {
        const before = await findAgreement(tx, realm, params.agreement)
        if (!before) throw agreementNotFound(params.agreement)
        if (end && end <= before.validity_start) {
          throw agreementRefused('validityEnd', 'ends_before', 'It would end before it begins')
        }
        const change = {
          ...(disabled !== undefined && { disabled }),
          ...(end !== undefined && { validity_end: end }),
        }
        const row =
          Object.keys(change).length === 0 ? before : await updateAgreement(tx, before, change)
        if (!row) throw agreementNotFound(params.agreement)
        const [was, is] = [before, row].map((one) => ({
          disabled: one.disabled,
          validityEnd: one.validity_end,
        }))
        await recordChange(tx, ctx, { ...what(row), action: 'update', before: was, after: is })
        return toAdministeredAgreement(row, await countAcceptances(tx, realm))
      })
    },

    acceptances: async ({ params, query }, ctx) => {
      const row = await findAgreement(db, realmOf(ctx), params.agreement)
      if (!row) throw agreementNotFound(params.agreement)
      const { rows, total } = await searchAcceptances(db, row, query)
      return toContentPage(rows, total, query)
    },
  }) satisfies Partial<AgreementHandlers>

type Asked = { serviceName?: string | undefined; now: Date }

/** Agreements in force in a realm, of one service or of all. */
export async function currentOf(db: CoreDeps['db'], realm: string, { serviceName, now }: Asked) {
  const versions = await listAgreements(db, realm)
  return versionsInForce(versions, now).filter(
    ({ service_name: name }) => serviceName === undefined || name === serviceName,
  )
}

/** Realm of the root organization of the call, where its agreements are kept; throws 404 in any other organization. */
function realmOf({ organization: { resourceId, realm } }: OrgCtx) {
  if (!resourceId.includes('.')) return realm
  const message = 'Agreements are kept in the root organization'
  throw failure(coreContract, 'not_found', { message })
}

/** Nobody accepts for another: no administrator in their place, no program, no key. */
function checkOwnSession({ caller }: CallerCtx) {
  if (!caller.impersonator && !caller.apiKey && !caller.serviceAccount) return
  const message = 'Only the person themselves can accept an agreement'
  throw failure(coreContract, 'only_oneself', { message })
}

async function notInForce(db: CoreDeps['db'], realm: string, id: number) {
  const known = await findAgreement(db, realm, id)
  if (!known) return agreementNotFound(id)
  const message = 'There is a newer version, or it is no longer in force; read what is now'
  return failure(coreContract, 'agreement_outdated', { id, field: 'ids', message })
}

const agreementNotFound = (id: number) =>
  failure(coreContract, 'not_found', { message: `There is no agreement ${id} here` })
const agreementRefused = (field: string, fault: 'ends_before' | 'no_text', message: string) =>
  failure(coreContract, 'agreement_refused', { field, fault, message })

const what = ({ id, default_name: label }: AgreementRow) => ({
  resource: 'agreements',
  id,
  label,
})

/** An agreement as the wire shows it. */
export const toAgreement = (row: AgreementRow) => ({
  id: row.id,
  type: row.type,
  serviceName: row.service_name,
  defaultName: row.default_name,
  acceptanceField: row.acceptance_field,
  link: row.link,
  texts: row.texts,
  mandatory: row.mandatory,
  version: row.version,
  createdAt: row.created_at,
  validityStart: row.validity_start,
  validityEnd: row.validity_end,
  disabled: row.disabled,
})

const shownTo = (row: AgreementRow, accepted: ReadonlyMap<number, Date>) => ({
  ...toAgreement(row),
  acceptedAt: accepted.get(row.id) ?? null,
})

const toAdministeredAgreement = (
  row: AgreementRow,
  counts: ReadonlyMap<number, number> = new Map(),
) => ({
  ...toAgreement(row),
  createdBy: row.created_by,
  acceptances: counts.get(row.id) ?? 0,
})
