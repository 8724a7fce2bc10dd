import type { Input } from '@longreach/kit/contract'
import type { coreContract } from '@longreach/core/contract'
import type { Language } from '../../parts/words/locale-rules.ts'

export const emptyRegistration = {
  organization: { label: '', name: '' },
  user: { firstName: '', lastName: '', username: '', email: '', password: '' },
}
type RegistrationValues = typeof emptyRegistration

/** A short name made of what an organization is called: `Müller & Söhne GmbH` as `muller-sohne-gmbh`. */
export const shortName = (label: string) =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '')

type Body = Input<typeof coreContract.endpoints.selfOnBoarding>['body']

/** Body of the request; the user name only if no email confirms an address. */
export const registrationOf = (
  { organization, user }: RegistrationValues,
  { agreements, language, mail }: { agreements: number[]; language: Language; mail: boolean },
): Body => {
  const { username, email, ...personal } = user
  return {
    organization: {
      name: organization.name.trim(),
      ...(organization.label.trim() !== '' && { label: organization.label }),
    },
    user: {
      ...personal,
      email: email.trim(),
      ...(!mail && { username: username.trim() }),
    },
    agreements,
    language,
  }
}

/** The fields that have to be filled in, by path. */
export const neededFields = (mail: boolean) => [
  'organization.label',
  'organization.name',
  mail ? 'user.email' : 'user.username',
  'user.password',
]

/** Value of a field, by its path. */
export function valueAt(values: RegistrationValues, path: string): string {
  const [group = '', key = ''] = path.split('.')
  const part: unknown = values[group as keyof RegistrationValues]
  return String((part as Record<string, unknown>)?.[key] ?? '')
}

/** True for a field of the form; faults of other fields are shown below the form. */
export function isRegistrationField(path: string) {
  const [group = '', key = ''] = path.split('.')
  const part: unknown = emptyRegistration[group as keyof RegistrationValues]
  return typeof part === 'object' && part !== null && Object.hasOwn(part, key)
}
