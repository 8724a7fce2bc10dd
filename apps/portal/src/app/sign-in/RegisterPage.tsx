import { Button, Loader } from '@mantine/core'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useEffect, useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { ConfirmRegistration } from './ConfirmRegistration.tsx'
import { SignInHeading } from './SignInHeading.tsx'
import { RegisterForm } from './RegisterForm.tsx'
import type { Onboarding } from './use-registration.ts'

/** Registration: closed, the form, and the link in the mail. */
export function RegisterPage() {
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    // The mail's link opened in the tab that registered changes what stands after the `#` only.
    const take = () => {
      const opened = takeToken()
      if (opened !== undefined) setToken(opened)
    }
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  if (token === undefined) return <Registration />
  return <ConfirmRegistration key={token} token={token} />
}

/** The mail's token stands after the `#`; it leaves the address bar and the history at once. */
function takeToken() {
  const token = /^#confirm=([\w-]{1,200})$/.exec(location.hash)?.[1]
  if (token !== undefined) history.replaceState(null, '', location.pathname)
  return token
}

function Registration() {
  const [attempt, setAttempt] = useState(0)
  return <Asked key={attempt} again={() => setAttempt(attempt + 1)} />
}

function Asked({ again }: { again: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const [facts, setFacts] = useState<Onboarding>()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const asked = new AbortController()
    earlyCalls
      .onboarding({}, { signal: asked.signal })
      .then(setFacts)
      .catch((error: unknown) => {
        if (!asked.signal.aborted) setFailure(error)
      })
    return () => asked.abort()
  }, [])
  if (facts?.open === true) return <RegisterForm facts={facts} />
  if (facts !== undefined) return <Closed />
  return (
    <>
      <SignInHeading title={t('register.title')} />
      {failure === undefined ? (
        <Loader aria-label={t('ui.loading')} />
      ) : (
        <ErrorPanel message={errorText(failure).message} onRetry={again} />
      )}
    </>
  )
}

function Closed() {
  const t = useWords()
  return (
    <>
      <SignInHeading title={t('register.closed')}>{t('register.closedText')}</SignInHeading>
      <Button component="a" href="/login" fullWidth size="sm">
        {t('register.signIn')}
      </Button>
    </>
  )
}
