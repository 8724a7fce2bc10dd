import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { saveFile } from '../../../parts/tables/save-file.ts'
import type { Endpoint } from './agent-answers.ts'
import classes from './sources.module.css'

type EndpointsProps = {
  endpoints: readonly Endpoint[]
  agentCertificate: string
  agentCertificatePem?: string | undefined
  chosen: Record<string, unknown>
  onChoose: (endpoint: Endpoint) => void
}

/** The server's endpoints; choosing one trusts the certificate that it shows now. */
export function OpcuaEndpoints({
  endpoints,
  agentCertificate,
  agentCertificatePem,
  chosen,
  onChoose,
}: EndpointsProps) {
  const t = useWords()
  const isChosen = ({ security, policy, serverCertificate }: Endpoint) =>
    chosen['security'] === security &&
    (security === 'None' ||
      (chosen['policy'] === policy && chosen['serverCertificate'] === serverCertificate))
  return (
    <div className={classes.wide}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('gateway.field.security')}</th>
            <th scope="col">{t('gateway.field.policy')}</th>
            <th scope="col">{t('gateway.signIn')}</th>
            <th scope="col">{t('gateway.certificate')}</th>
            <th scope="col">
              <span className="mantine-visually-hidden">{t('gateway.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map((one) => (
            <tr key={`${one.url} ${one.security} ${one.policy}`}>
              <td>{one.security}</td>
              <td>{one.policy}</td>
              <td>{one.users.join(', ')}</td>
              <td className={classes.place}>{one.serverCertificate?.slice(0, 16) ?? '—'}</td>
              <td>
                {isChosen(one) ? (
                  <StatusDot tone="ok">{t('gateway.chosen')}</StatusDot>
                ) : (
                  <Button variant="default" size="compact-sm" onClick={() => onChoose(one)}>
                    {t('gateway.choose')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.dim}>
        {t('gateway.agentCertificate')} <code>{agentCertificate}</code>
      </p>
      {agentCertificatePem && <CertificateFiles pem={agentCertificatePem} />}
    </div>
  )
}

/** The agent's certificate as files, for servers whose administrator puts one among the trusted ones. */
function CertificateFiles({ pem }: { pem: string }) {
  const t = useWords()
  return (
    <div className={classes.bar}>
      {(['der', 'pem'] as const).map((form) => (
        <Button
          key={form}
          variant="default"
          size="compact-sm"
          onClick={() =>
            saveFile(`longreach-edge.${form}`, [certificateAs(form, pem)], certificateType)
          }
        >
          {t('gateway.certificateFile', { form: form.toUpperCase() })}
        </Button>
      ))}
    </div>
  )
}

const certificateType = 'application/x-x509-ca-cert'

/** The PEM form is the DER form as text between two lines. */
function certificateAs(form: 'der' | 'pem', pem: string): BlobPart {
  if (form === 'pem') return pem
  const bytes = atob(pem.replaceAll(/-----[^-]*-----|\s/g, ''))
  return Uint8Array.from(bytes, (letter) => letter.codePointAt(0) ?? 0)
}
