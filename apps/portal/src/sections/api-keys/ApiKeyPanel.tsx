import { ActionButton } from '@longreach/ui/ActionButton'
import { CopyText } from '@longreach/ui/CopyText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { useMay } from '../../parts/session/session.ts'
import { type ApiKey, useOwnName } from './api-key-calls.ts'
import { Expiry, LastUse, Owner, scopeText } from './api-key-columns.tsx'
import classes from './api-keys.module.css'
import { RevokeDialog } from './RevokeDialog.tsx'
import { RotateDialog } from './RotateDialog.tsx'
import { byResource } from './scope-rules.ts'

type Props = { apiKey: ApiKey; onClose: () => void }

/** Everything about one key but the key itself, which nobody can see again. */
export function ApiKeyPanel({ apiKey, onClose }: Props) {
  const t = useWords()
  const username = useOwnName()
  const mayAny = useMay()('users:update')
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>()
  const allowed = mayAny || apiKey.username === username
  const reason = allowed ? undefined : t('api-keys.notYours')
  const button = (name: 'rotate' | 'revoke', label: string) => (
    <ActionButton
      reason={reason}
      size="compact-md"
      variant="default"
      {...(name === 'revoke' && allowed && { c: 'var(--lr-alarm)' })}
      onClick={() => setDialog(name)}
    >
      {label}
    </ActionButton>
  )
  return (
    <SidePanel
      title={apiKey.label}
      facts={<Owner apiKey={apiKey} />}
      actions={
        <>
          {button('rotate', t('api-keys.rotate'))}
          {button('revoke', t('api-keys.revoke'))}
        </>
      }
      onClose={onClose}
    >
      <PanelSection title={t('api-keys.facts')}>
        <Facts
          items={[
            {
              label: t('api-keys.beginning'),
              value: <CopyText text={apiKey.key} label={t('api-keys.beginning')} />,
            },
            { label: t('api-keys.expires'), value: <Expiry apiKey={apiKey} /> },
            { label: t('api-keys.used'), value: <LastUse apiKey={apiKey} /> },
            {
              label: t('api-keys.created'),
              value: (
                <>
                  <RelativeTime at={apiKey.createdAt} /> · {apiKey.createdBy}
                </>
              ),
            },
            {
              label: t('api-keys.addresses'),
              value:
                apiKey.addresses.length === 0
                  ? t('api-keys.anyAddress')
                  : apiKey.addresses.map((address) => (
                      <code key={address} className={classes.address}>
                        {address}
                      </code>
                    )),
            },
          ]}
        />
      </PanelSection>
      <PanelSection title={t('api-keys.scopes')}>
        <ul className={classes.scopes}>
          {byResource(apiKey.permissions).map((group) => (
            <li key={group.resource}>{scopeText(t, group)}</li>
          ))}
        </ul>
        <p className={classes.dim}>{t('api-keys.scopesText', { owner: apiKey.username })}</p>
      </PanelSection>
      {dialog === 'rotate' && <RotateDialog apiKey={apiKey} onClose={() => setDialog(undefined)} />}
      {dialog === 'revoke' && (
        <RevokeDialog apiKey={apiKey} onClose={() => setDialog(undefined)} onRevoked={onClose} />
      )}
    </SidePanel>
  )
}
