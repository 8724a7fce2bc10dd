import { AppError } from '@longreach/kit/errors'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { queries } from '../../parts/api/queries.ts'
import { authorizedFetch } from '../../parts/api/send.ts'
import { useSession } from '../../parts/session/session.ts'

const Profile = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  emailVerified: z.boolean().default(false),
  /** The address that waits for its link to be opened. */
  pendingEmail: z.string().optional(),
})
export type Profile = z.output<typeof Profile>

const Credential = z.object({
  id: z.string(),
  type: z.enum(['password', 'otp', 'webauthn', 'recovery-authn-codes']),
  userLabel: z.string().default(''),
  /** Milliseconds since 1970. */
  createdDate: z.number().optional(),
  /** Recovery codes that are left. */
  remaining: z.number().optional(),
})
export type Credential = z.output<typeof Credential>

const Credentials = z.array(
  z.object({ userCredentialMetadatas: z.array(z.object({ credential: Credential })) }),
)

const DeviceSessions = z.array(
  z.object({
    os: z.string(),
    mobile: z.boolean(),
    sessions: z.array(
      z.object({
        id: z.string(),
        ipAddress: z.string(),
        /** Seconds since 1970. */
        started: z.number(),
        lastAccess: z.number(),
        current: z.boolean(),
        browser: z.string(),
      }),
    ),
  }),
)

const Totp = z.object({ secret: z.string(), uri: z.string(), qr: z.string() })
const Added = z.object({ id: z.string(), recoveryCodes: z.array(z.string()).optional() })
const Codes = z.object({ recoveryCodes: z.array(z.string()) })
const Nothing = z.undefined()

type Ask = { method?: string; body?: unknown }

/** The account of the person at identity, on its own paths; refused calls throw as all others do. */
export function useAccount() {
  const { realm, subject } = useSession()
  const call = async <T extends z.ZodType>(
    path: string,
    answer: T,
    { method = 'GET', body }: Ask = {},
  ): Promise<z.output<T>> => {
    const response = await authorizedFetch(`/auth/realms/${realm}/account${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const text = await response.text()
    const told: unknown = text === '' ? undefined : JSON.parse(text)
    if (response.ok) return answer.parse(told)
    const { code, details } = (told ?? {}) as { code?: string; details?: object }
    throw new AppError(response.status, code ?? 'unexpected_response', { ...details })
  }
  const post = (body: unknown = {}): Ask => ({ method: 'POST', body })
  return {
    profile: queryOptions({
      queryKey: ['account', 'profile', subject],
      queryFn: () => call('', Profile),
    }),
    credentials: queryOptions({
      queryKey: ['account', 'credentials', subject],
      queryFn: async () =>
        (await call('/credentials', Credentials)).flatMap(({ userCredentialMetadatas }) =>
          userCredentialMetadatas.map(({ credential }) => credential),
        ),
    }),
    sessions: queryOptions({
      queryKey: ['account', 'sessions', subject],
      queryFn: () => call('/sessions/devices', DeviceSessions),
    }),
    saveProfile: (change: Partial<Profile>) => call('', Profile, post(change)),
    changePassword: (currentPassword: string, newPassword: string) =>
      call('/password', Nothing, post({ currentPassword, newPassword })),
    startTotp: () => call('/totp', Totp, post()),
    confirmTotp: (code: string, label: string) =>
      call('/totp/confirm', Added, post({ code, label })),
    renewCodes: () => call('/recovery-codes', Codes, post()),
    startPasskey: () => call('/passkeys/start', z.looseObject({}), post()),
    keepPasskey: (credential: unknown, label: string) =>
      call('/passkeys', Added, post({ credential, label })),
    removeCredential: (id: string) =>
      call(`/credentials/${encodeURIComponent(id)}`, Nothing, { method: 'DELETE' }),
    endSession: (id: string) =>
      call(`/sessions/${encodeURIComponent(id)}`, Nothing, { method: 'DELETE' }),
    endOtherSessions: () => call('/sessions', Nothing, { method: 'DELETE' }),
  }
}

export const useCredentials = () => useQuery(useAccount().credentials)

/** After the account changed. */
export const accountChanged = () => queries.invalidateQueries({ queryKey: ['account'] })

/** Identity wants a young sign-in for this. */
export const wantsSignIn = (error: unknown) =>
  error instanceof AppError && error.code === 'identity.sign_in_again'
