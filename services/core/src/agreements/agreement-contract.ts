import {
  contentPage,
  type Endpoint,
  paging,
  timestamp,
  rowId,
  rowIdText,
} from '@longreach/kit/contract'
import { z } from 'zod'

export const AgreementType = z.enum(['TERM', 'PRIVACY', 'MAINTENANCE'])
export type AgreementType = z.output<typeof AgreementType>

/** Names under which clients ask: for what people agree to, and for what they are told. */
export const agreementsService = 'corvina-cloud-agreements'
export const noticesService = 'corvina-cloud-global-notification'

const serviceName = z.string().min(1).max(100)
const Text = z.object({
  title: z.string().trim().max(200).default(''),
  text: z.string().trim().max(100_000).default(''),
})
const Texts = z.object({
  en: Text.optional(),
  de: Text.optional(),
  es: Text.optional(),
  fr: Text.optional(),
  it: Text.optional(),
})
export type Texts = z.output<typeof Texts>

export const Agreement = z.object({
  id: z.int(),
  type: AgreementType,
  serviceName,
  /** Title where `texts` has none in the reader's language. */
  defaultName: z.string(),
  /** Text beside the checkbox; empty: the portal's own sentence. */
  acceptanceField: z.string(),
  /** Address of the full text; empty: `texts` has all of it. */
  link: z.string(),
  texts: Texts,
  /** People must accept it to go on. */
  mandatory: z.boolean(),
  version: z.int(),
  createdAt: timestamp,
  validityStart: timestamp,
  validityEnd: timestamp.nullable(),
  disabled: z.boolean(),
})
export type Agreement = z.output<typeof Agreement>

/** An agreement as the person who asks stands to it. */
const OwnAgreement = Agreement.extend({ acceptedAt: timestamp.nullable() })
/** An agreement as those who administer it see it. */
const AdministeredAgreement = Agreement.extend({ createdBy: z.string(), acceptances: z.int() })
type AdministeredAgreement = z.output<typeof AdministeredAgreement>

const link = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }).max(2000),
])
export const NewAgreement = z.object({
  type: AgreementType,
  serviceName: serviceName.optional(),
  defaultName: z.string().trim().min(1).max(200),
  acceptanceField: z.string().trim().max(500).default(''),
  link: link.default(''),
  texts: Texts.default({}),
  mandatory: z.boolean().default(true),
  validityStart: timestamp.optional(),
  validityEnd: timestamp.nullable().default(null),
})
export type NewAgreement = z.output<typeof NewAgreement>

const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), agreement: rowIdText })
const asked = z.object({ serviceName: serviceName.optional() })

export const agreementEndpoints = {
  /** Agreements in force in the caller's realm: the newest version of each type. */
  agreementsLast: {
    method: 'GET',
    path: '/agreements/last',
    access: 'signed-in',
    query: asked,
    result: z.array(OwnAgreement),
  },
  /** Types of which the caller has not accepted what is in force. */
  agreementsCheck: {
    method: 'GET',
    path: '/agreements/check',
    access: 'signed-in',
    query: asked,
    result: z.object({ types: z.array(AgreementType) }),
  },
  /** Accept what is in force; accepting again changes nothing. */
  acceptAgreements: {
    method: 'POST',
    path: '/agreements/accept',
    access: 'signed-in',
    body: z.object({ ids: z.array(rowId).min(1).max(100) }),
    result: z.array(OwnAgreement),
  },
  /** Every version in the realm of a root organization, newest first. */
  agreements: {
    method: 'GET',
    path: '/organizations/:org/agreements',
    access: 'organizations:update',
    params: org,
    result: z.array(AdministeredAgreement),
  },
  /** A new version of a type; people are asked again from its first day on. */
  createAgreement: {
    method: 'POST',
    path: '/organizations/:org/agreements',
    access: 'organizations:update',
    params: org,
    body: NewAgreement,
    result: AdministeredAgreement,
    status: 201,
  },
  /** Take a version out of force or put it back, or end it on a day; what it says stays. */
  changeAgreement: {
    method: 'PATCH',
    path: '/organizations/:org/agreements/:agreement',
    access: 'organizations:update',
    params: inOrg,
    body: z.object({
      disabled: z.boolean().optional(),
      validityEnd: timestamp.nullable().optional(),
    }),
    result: AdministeredAgreement,
  },
  /** People who accepted a version, newest first. */
  acceptances: {
    method: 'GET',
    path: '/organizations/:org/agreements/:agreement/acceptances',
    access: 'organizations:update',
    params: inOrg,
    query: z.object({ ...paging(), search: z.string().max(255).optional() }),
    result: contentPage(
      z.object({
        sub: z.string(),
        username: z.string(),
        version: z.int(),
        acceptedAt: timestamp,
        ip: z.string(),
      }),
    ),
  },
} as const satisfies Record<string, Endpoint>
