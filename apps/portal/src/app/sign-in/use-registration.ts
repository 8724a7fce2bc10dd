import { useForm } from '@mantine/form'
import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useLook } from '../../parts/look/look.ts'
import { missing } from '../../parts/agreements/agreement-rules.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import {
  emptyRegistration,
  isRegistrationField,
  neededFields,
  registrationOf,
  valueAt,
} from './register-rules.ts'

export type Onboarding = Result<typeof coreContract.endpoints.onboarding>

type State = {
  pending: boolean
  error?: string
  /** Agreements that have to be accepted and are not. */
  wrong: readonly number[]
  done?: { realm?: string | undefined; email: string }
}

/** The registration as it is filled in: values, ticks, what is wrong, and sending it. */
export function useRegistration({ mail, agreements }: Onboarding) {
  const t = useWords()
  const errorText = useErrorText()
  const { language } = useLook()
  const focusFirstFault = useFocusOnFault()
  const [state, setState] = useState<State>({ pending: false, wrong: [] })
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const form = useForm({
    initialValues: emptyRegistration,
    validate: (values) =>
      Object.fromEntries(
        neededFields(mail)
          .filter((field) => valueAt(values, field).trim() === '')
          .map((field) => [field, t('register.needed')]),
      ),
  })
  const notYet = () => {
    setState({ pending: false, wrong: missing(agreements, ticked) })
    focusFirstFault()
  }
  const send = form.onSubmit(async (values) => {
    if (missing(agreements, ticked).length > 0) return notYet()
    setState({ pending: true, wrong: [] })
    try {
      const body = registrationOf(values, { agreements: [...ticked], language, mail })
      const { realmName: realm } = await earlyCalls.selfOnBoarding({ query: {}, body })
      setState({ pending: false, wrong: [], done: { realm, email: values.user.email.trim() } })
    } catch (error) {
      const { message, fields } = errorText(error)
      const known = Object.entries(fields).filter(([field]) => isRegistrationField(field))
      form.setErrors(Object.fromEntries(known))
      setState({ pending: false, wrong: [], ...(known.length === 0 && { error: message }) })
      focusFirstFault()
    }
  }, notYet)
  const tick = (id: number, on: boolean) => {
    setTicked(new Set([...ticked].filter((one) => one !== id).concat(on ? id : [])))
    setState({ ...state, wrong: state.wrong.filter((one) => one !== id) })
  }
  return { form, state, ticked, tick, send }
}
