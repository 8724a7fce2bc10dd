import type { Language } from '../pages/words.ts'

/** Kind of mail: a link with a purpose, or a notice. */
export type MailKind =
  | 'password'
  | 'invitation'
  | 'email'
  | 'emailChanged'
  | 'registration'
  | 'registered'
  | 'accessRequest'
  | 'membershipInvitation'

/** Texts of one mail with `{placeholders}`. */
type Words = { subject: string; lead: string; action?: string; note: string }
type Dictionary = Record<MailKind, Words> & { copy: string; sender: string }

const en: Dictionary = {
  copy: 'If the button does not work, copy this address into your browser:',
  sender: 'Sent by Longreach at {origin}',
  password: {
    subject: 'Set a new password',
    lead: 'A new password was requested for {username}.',
    action: 'Set a new password',
    note: 'The link can be used once and is valid for 15 minutes. If you did not request it, ignore this email. Nothing will change.',
  },
  invitation: {
    subject: 'You are invited to {organization}',
    lead: 'You now have access to {organization}. Your user name is {username}. Choose a password to start.',
    action: 'Accept invitation',
    note: 'The link can be used once and is valid for 7 days. After that, ask for a new invitation.',
  },
  email: {
    subject: 'Confirm your email address',
    lead: 'Confirm that {email} is the email address of {username}.',
    action: 'Confirm email address',
    note: 'The link can be used once and is valid for 15 minutes. If you did not request it, ignore this email. Nothing will change.',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    lead: 'The email address of {username} is now {email}.',
    note: 'If you did not make this change, contact your administrator immediately.',
  },
  registration: {
    subject: 'Confirm your registration',
    lead: '{organization} was registered with this email address. It will be created when you confirm.',
    action: 'Confirm registration',
    note: 'The link can be used once and is valid for 24 hours. If this was not you, ignore this email. Nothing will be created.',
  },
  registered: {
    subject: 'You already have an account',
    lead: 'Somebody tried to register with this email address, which already has an account. Sign in, or set a new password on the sign-in page.',
    action: 'Sign in',
    note: 'If this was not you, ignore this email. Nothing will change.',
  },
  accessRequest: {
    subject: '{person} requests access to {organization}',
    lead: '{person} requests access to {organization}. Choose their permissions or decline the request.',
    action: 'View request',
    note: 'You receive this email because you are an administrator of the organization.',
  },
  membershipInvitation: {
    subject: 'You are invited to {organization}',
    lead: '{person} invites you to join {organization} with your existing account. You become a member when you accept.',
    action: 'View invitation',
    note: 'The invitation is valid for 30 days. If you do not expect it, decline it. Nothing will change.',
  },
}

const de: Dictionary = {
  copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  sender: 'Gesendet von Longreach unter {origin}',
  password: {
    subject: 'Neues Passwort festlegen',
    lead: 'Für {username} wurde ein neues Passwort angefordert.',
    action: 'Neues Passwort festlegen',
    note: 'Der Link kann einmal verwendet werden und ist 15 Minuten gültig. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es ändert sich nichts.',
  },
  invitation: {
    subject: 'Einladung zu {organization}',
    lead: 'Sie haben Zugang zu {organization} erhalten. Ihr Benutzername ist {username}. Wählen Sie ein Passwort.',
    action: 'Einladung annehmen',
    note: 'Der Link kann einmal verwendet werden und ist 7 Tage gültig. Bitten Sie danach um eine neue Einladung.',
  },
  email: {
    subject: 'E-Mail-Adresse bestätigen',
    lead: 'Bestätigen Sie, dass {email} die E-Mail-Adresse von {username} ist.',
    action: 'E-Mail-Adresse bestätigen',
    note: 'Der Link kann einmal verwendet werden und ist 15 Minuten gültig. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es ändert sich nichts.',
  },
  emailChanged: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    lead: 'Die E-Mail-Adresse von {username} ist jetzt {email}.',
    note: 'Wenn Sie das nicht selbst waren, wenden Sie sich sofort an Ihren Administrator.',
  },
  registration: {
    subject: 'Registrierung bestätigen',
    lead: '{organization} wurde mit dieser E-Mail-Adresse registriert. Die Organisation wird angelegt, sobald Sie bestätigen.',
    action: 'Registrierung bestätigen',
    note: 'Der Link kann einmal verwendet werden und ist 24 Stunden gültig. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wird nichts angelegt.',
  },
  registered: {
    subject: 'Sie haben bereits ein Konto',
    lead: 'Jemand wollte sich mit dieser E-Mail-Adresse registrieren, für die es bereits ein Konto gibt. Melden Sie sich an oder legen Sie auf der Anmeldeseite ein neues Passwort fest.',
    action: 'Anmelden',
    note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es ändert sich nichts.',
  },
  accessRequest: {
    subject: '{person} beantragt Zugang zu {organization}',
    lead: '{person} beantragt Zugang zu {organization}. Legen Sie die Berechtigungen fest oder lehnen Sie die Anfrage ab.',
    action: 'Anfrage ansehen',
    note: 'Sie erhalten diese E-Mail, weil Sie die Organisation verwalten.',
  },
  membershipInvitation: {
    subject: 'Einladung zu {organization}',
    lead: '{person} lädt Sie ein, {organization} mit Ihrem bestehenden Konto beizutreten. Sie werden Mitglied, wenn Sie annehmen.',
    action: 'Einladung ansehen',
    note: 'Die Einladung ist 30 Tage gültig. Wenn Sie sie nicht erwarten, lehnen Sie sie ab. Es ändert sich nichts.',
  },
}

const es: Dictionary = {
  copy: 'Si el botón no funciona, copie esta dirección en su navegador:',
  sender: 'Enviado por Longreach en {origin}',
  password: {
    subject: 'Establezca una contraseña nueva',
    lead: 'Se ha solicitado una contraseña nueva para {username}.',
    action: 'Establecer la contraseña',
    note: 'El enlace se puede usar una vez y es válido durante 15 minutos. Si no lo ha solicitado, ignore este correo. No cambiará nada.',
  },
  invitation: {
    subject: 'Invitación a {organization}',
    lead: 'Ahora tiene acceso a {organization}. Su nombre de usuario es {username}. Elija una contraseña para empezar.',
    action: 'Aceptar la invitación',
    note: 'El enlace se puede usar una vez y es válido durante 7 días. Después, solicite una invitación nueva.',
  },
  email: {
    subject: 'Confirme su dirección de correo',
    lead: 'Confirme que {email} es la dirección de correo de {username}.',
    action: 'Confirmar la dirección de correo',
    note: 'El enlace se puede usar una vez y es válido durante 15 minutos. Si no lo ha solicitado, ignore este correo. No cambiará nada.',
  },
  emailChanged: {
    subject: 'Su dirección de correo ha cambiado',
    lead: 'La dirección de correo de {username} es ahora {email}.',
    note: 'Si no ha hecho usted este cambio, avise de inmediato a su administrador.',
  },
  registration: {
    subject: 'Confirme su registro',
    lead: '{organization} se ha registrado con esta dirección de correo. Se creará cuando usted lo confirme.',
    action: 'Confirmar el registro',
    note: 'El enlace se puede usar una vez y es válido durante 24 horas. Si no ha sido usted, ignore este correo. No se creará nada.',
  },
  registered: {
    subject: 'Ya tiene una cuenta',
    lead: 'Alguien ha intentado registrarse con esta dirección de correo, que ya tiene una cuenta. Inicie sesión o establezca una contraseña nueva en la página de inicio de sesión.',
    action: 'Iniciar sesión',
    note: 'Si no ha sido usted, ignore este correo. No cambiará nada.',
  },
  accessRequest: {
    subject: '{person} solicita acceso a {organization}',
    lead: '{person} solicita acceso a {organization}. Elija sus permisos o rechace la solicitud.',
    action: 'Ver la solicitud',
    note: 'Recibe este correo porque administra la organización.',
  },
  membershipInvitation: {
    subject: 'Invitación a {organization}',
    lead: '{person} le invita a unirse a {organization} con su cuenta actual. Será miembro cuando acepte.',
    action: 'Ver la invitación',
    note: 'La invitación es válida durante 30 días. Si no la esperaba, rechácela. No cambiará nada.',
  },
}

const fr: Dictionary = {
  copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  sender: 'Envoyé par Longreach à l’adresse {origin}',
  password: {
    subject: 'Définissez un nouveau mot de passe',
    lead: 'Un nouveau mot de passe a été demandé pour {username}.',
    action: 'Définir le mot de passe',
    note: 'Le lien est utilisable une seule fois et valable 15 minutes. Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien ne changera.',
  },
  invitation: {
    subject: 'Invitation à rejoindre {organization}',
    lead: 'Vous avez maintenant accès à {organization}. Votre nom d’utilisateur est {username}. Choisissez un mot de passe pour commencer.',
    action: 'Accepter l’invitation',
    note: 'Le lien est utilisable une seule fois et valable 7 jours. Passé ce délai, demandez une nouvelle invitation.',
  },
  email: {
    subject: 'Confirmez votre adresse e-mail',
    lead: 'Confirmez que {email} est l’adresse e-mail de {username}.',
    action: 'Confirmer l’adresse e-mail',
    note: 'Le lien est utilisable une seule fois et valable 15 minutes. Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien ne changera.',
  },
  emailChanged: {
    subject: 'Votre adresse e-mail a changé',
    lead: 'L’adresse e-mail de {username} est maintenant {email}.',
    note: 'Si vous n’êtes pas à l’origine de ce changement, contactez immédiatement votre administrateur.',
  },
  registration: {
    subject: 'Confirmez votre inscription',
    lead: '{organization} a été inscrite avec cette adresse e-mail. L’organisation sera créée quand vous confirmerez.',
    action: 'Confirmer l’inscription',
    note: 'Le lien est utilisable une seule fois et valable 24 heures. Si ce n’était pas vous, ignorez cet e-mail. Rien ne sera créé.',
  },
  registered: {
    subject: 'Vous avez déjà un compte',
    lead: 'Quelqu’un a essayé de s’inscrire avec cette adresse e-mail, qui a déjà un compte. Connectez-vous ou définissez un nouveau mot de passe sur la page de connexion.',
    action: 'Se connecter',
    note: 'Si ce n’était pas vous, ignorez cet e-mail. Rien ne changera.',
  },
  accessRequest: {
    subject: '{person} demande l’accès à {organization}',
    lead: '{person} demande l’accès à {organization}. Choisissez ses autorisations ou refusez la demande.',
    action: 'Voir la demande',
    note: 'Vous recevez cet e-mail parce que vous administrez l’organisation.',
  },
  membershipInvitation: {
    subject: 'Invitation à rejoindre {organization}',
    lead: '{person} vous invite à rejoindre {organization} avec votre compte existant. Vous devenez membre quand vous acceptez.',
    action: 'Voir l’invitation',
    note: 'L’invitation est valable 30 jours. Si vous ne l’attendiez pas, refusez-la. Rien ne changera.',
  },
}

const it: Dictionary = {
  copy: 'Se il pulsante non funziona, copia questo indirizzo nel browser:',
  sender: 'Inviato da Longreach all’indirizzo {origin}',
  password: {
    subject: 'Imposta una nuova password',
    lead: 'È stata richiesta una nuova password per {username}.',
    action: 'Imposta la password',
    note: 'Il link può essere usato una volta ed è valido 15 minuti. Se non l’hai richiesto, ignora questa e-mail. Non cambierà nulla.',
  },
  invitation: {
    subject: 'Invito a {organization}',
    lead: 'Ora hai accesso a {organization}. Il tuo nome utente è {username}. Scegli una password per iniziare.',
    action: 'Accetta l’invito',
    note: 'Il link può essere usato una volta ed è valido 7 giorni. Dopo, chiedi un nuovo invito.',
  },
  email: {
    subject: 'Conferma il tuo indirizzo e-mail',
    lead: 'Conferma che {email} è l’indirizzo e-mail di {username}.',
    action: 'Conferma l’indirizzo e-mail',
    note: 'Il link può essere usato una volta ed è valido 15 minuti. Se non l’hai richiesto, ignora questa e-mail. Non cambierà nulla.',
  },
  emailChanged: {
    subject: 'Il tuo indirizzo e-mail è cambiato',
    lead: 'L’indirizzo e-mail di {username} ora è {email}.',
    note: 'Se non hai fatto tu questa modifica, contatta subito il tuo amministratore.',
  },
  registration: {
    subject: 'Conferma la registrazione',
    lead: '{organization} è stata registrata con questo indirizzo e-mail. Verrà creata quando confermi.',
    action: 'Conferma la registrazione',
    note: 'Il link può essere usato una volta ed è valido 24 ore. Se non sei stato tu, ignora questa e-mail. Non verrà creato nulla.',
  },
  registered: {
    subject: 'Hai già un account',
    lead: 'Qualcuno ha provato a registrarsi con questo indirizzo e-mail, che ha già un account. Accedi oppure imposta una nuova password nella pagina di accesso.',
    action: 'Accedi',
    note: 'Se non sei stato tu, ignora questa e-mail. Non cambierà nulla.',
  },
  accessRequest: {
    subject: '{person} richiede l’accesso a {organization}',
    lead: '{person} richiede l’accesso a {organization}. Scegli le autorizzazioni o rifiuta la richiesta.',
    action: 'Visualizza la richiesta',
    note: 'Ricevi questa e-mail perché amministri l’organizzazione.',
  },
  membershipInvitation: {
    subject: 'Invito a {organization}',
    lead: '{person} ti invita a unirti a {organization} con il tuo account esistente. Diventi membro quando accetti.',
    action: 'Visualizza l’invito',
    note: 'L’invito è valido 30 giorni. Se non lo aspettavi, rifiutalo. Non cambierà nulla.',
  },
}

export const mailWords: Record<Language, Dictionary> = { en, de, es, fr, it }
