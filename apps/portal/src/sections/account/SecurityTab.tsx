import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useToast } from '@longreach/ui/Toasts'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint, IconLifebuoy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { accountChanged, type Credential, useAccount, useCredentials } from './account-calls.ts'
import classes from './account.module.css'
import { AddAuthenticator } from './AddAuthenticator.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { NewCodes } from './RecoveryCodes.tsx'
import { AccountFailure } from './SignInAgain.tsx'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

type Dialog = 'authenticator' | 'passkey' | 'codes'

/** Tab of the ways to sign in: password, second factors, recovery codes. */
export function SecurityTab() {
  const t = useWords()
  const list = useCredentials()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const factors = (list.data ?? []).filter(({ type }) => type !== 'password')
  return (
    <>
      <PasswordForm />
      <Panel title={t('account.secondFactors')}>
        <p className={classes.text}>{t('account.secondFactorsText')}</p>
        {list.error || list.isPending ? (
          <ContentPending {...list} rows={2} />
        ) : (
          <ul className={classes.rows}>
            {factors.map((credential) => (
              <Factor key={credential.id} credential={credential} />
            ))}
            {factors.length === 0 && <li className={classes.row}>{t('account.noSecondFactor')}</li>}
          </ul>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setDialog('authenticator')}>
            {t('account.addAuthenticator')}
          </Button>
          <Button variant="default" onClick={() => setDialog('passkey')}>
            {t('account.addPasskey')}
          </Button>
          {factors.length > 0 && (
            <Button variant="default" onClick={() => setDialog('codes')}>
              {t('account.newCodes')}
            </Button>
          )}
        </div>
      </Panel>
      {dialog === 'authenticator' && <AddAuthenticator onClose={close} />}
      {dialog === 'passkey' && <AddPasskey onClose={close} />}
      {dialog === 'codes' && <NewCodes onClose={close} />}
    </>
  )
}

const icons = {
  otp: IconDeviceMobile,
  webauthn: IconFingerprint,
  'recovery-authn-codes': IconLifebuoy,
  password: IconLifebuoy,
}

function Factor({ credential }: { credential: Credential }) {
  const t = useWords()
  const toast = useToast()
  const account = useAccount()
  const [asking, setAsking] = useState(false)
  const { id, type, userLabel, createdDate, remaining } = credential
  const name = userLabel || t(`account.factor.${type}`)
  const facts = [
    ...(userLabel ? [t(`account.factor.${type}`)] : []),
    ...(remaining === undefined ? [] : [t('account.codesLeft', { count: remaining })]),
  ]
  const Icon = icons[type]
  const remove = useMutation({
    mutationFn: () => account.removeCredential(id),
    onSuccess: async () => {
      await accountChanged()
      toast({ message: t('account.removed', { name }) })
    },
    onSettled: () => setAsking(false),
  })
  return (
    <li className={classes.row}>
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={classes.what}>
        <strong>{name}</strong>
        <span className={classes.dim}>
          {facts.join(' · ')}
          {createdDate !== undefined && (
            <>
              {facts.length > 0 && ' · '}
              {t('account.since')} <RelativeTime at={createdDate} />
            </>
          )}
        </span>
      </span>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('account.remove')}
      </Button>
      {remove.error && (
        <div style={{ flexBasis: '100%' }}>
          <AccountFailure error={remove.error} />
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={t('account.removeTitle', { name })}
          verb={t('account.remove')}
          danger
          pending={remove.isPending}
          error={undefined}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          {t('account.removeText')}
        </ConfirmDialog>
      )}
    </li>
  )
}
