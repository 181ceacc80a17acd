/** Texts of the pages. `{workspace}` and `{topic}` stand for their names. */
export interface PageTexts {
  unsubscribe: string;
  unsubscribeQuestion: string;
  unsubscribeAllQuestion: string;
  unsubscribed: string;
  preferences: string;
  preferencesHint: string;
  save: string;
  saved: string;
  unsubscribeAll: string;
  gone: string;
  goneHint: string;
}

/** Texts by language. English is used for every other one. */
export const pageTexts: Readonly<Record<string, PageTexts>> = {
  en: {
    unsubscribe: "Unsubscribe",
    unsubscribeQuestion: "Do you want to stop receiving “{topic}” from {workspace}?",
    unsubscribeAllQuestion: "Do you want to stop receiving messages from {workspace}?",
    unsubscribed: "You are unsubscribed.",
    preferences: "Your preferences",
    preferencesHint: "Choose what you want to receive from {workspace}.",
    save: "Save",
    saved: "Your choice is saved.",
    unsubscribeAll: "Unsubscribe from everything",
    gone: "This link no longer works",
    goneHint: "It is incomplete or has expired. Use the link in a newer message.",
  },
  de: {
    unsubscribe: "Abmelden",
    unsubscribeQuestion: "Möchten Sie „{topic}“ von {workspace} nicht mehr erhalten?",
    unsubscribeAllQuestion: "Möchten Sie keine Nachrichten von {workspace} mehr erhalten?",
    unsubscribed: "Sie sind abgemeldet.",
    preferences: "Ihre Einstellungen",
    preferencesHint: "Wählen Sie, was Sie von {workspace} erhalten möchten.",
    save: "Speichern",
    saved: "Ihre Auswahl ist gespeichert.",
    unsubscribeAll: "Von allem abmelden",
    gone: "Dieser Link funktioniert nicht mehr",
    goneHint:
      "Er ist unvollständig oder abgelaufen. Nutzen Sie den Link in einer neueren Nachricht.",
  },
  fr: {
    unsubscribe: "Se désabonner",
    unsubscribeQuestion: "Voulez-vous ne plus recevoir « {topic} » de {workspace} ?",
    unsubscribeAllQuestion: "Voulez-vous ne plus recevoir de messages de {workspace} ?",
    unsubscribed: "Vous êtes désabonné.",
    preferences: "Vos préférences",
    preferencesHint: "Choisissez ce que vous voulez recevoir de {workspace}.",
    save: "Enregistrer",
    saved: "Votre choix est enregistré.",
    unsubscribeAll: "Se désabonner de tout",
    gone: "Ce lien ne fonctionne plus",
    goneHint: "Il est incomplet ou a expiré. Utilisez le lien d’un message plus récent.",
  },
  es: {
    unsubscribe: "Cancelar la suscripción",
    unsubscribeQuestion: "¿Quiere dejar de recibir «{topic}» de {workspace}?",
    unsubscribeAllQuestion: "¿Quiere dejar de recibir mensajes de {workspace}?",
    unsubscribed: "Su suscripción está cancelada.",
    preferences: "Sus preferencias",
    preferencesHint: "Elija qué quiere recibir de {workspace}.",
    save: "Guardar",
    saved: "Su elección está guardada.",
    unsubscribeAll: "Cancelar todas las suscripciones",
    gone: "Este enlace ya no funciona",
    goneHint: "Está incompleto o ha caducado. Use el enlace de un mensaje más reciente.",
  },
  it: {
    unsubscribe: "Annulla l’iscrizione",
    unsubscribeQuestion: "Non vuole più ricevere «{topic}» da {workspace}?",
    unsubscribeAllQuestion: "Non vuole più ricevere messaggi da {workspace}?",
    unsubscribed: "La sua iscrizione è annullata.",
    preferences: "Le sue preferenze",
    preferencesHint: "Scelga che cosa vuole ricevere da {workspace}.",
    save: "Salva",
    saved: "La sua scelta è salvata.",
    unsubscribeAll: "Annulla tutte le iscrizioni",
    gone: "Questo link non funziona più",
    goneHint: "È incompleto o scaduto. Usi il link di un messaggio più recente.",
  },
  pt: {
    unsubscribe: "Cancelar a inscrição",
    unsubscribeQuestion: "Quer deixar de receber “{topic}” de {workspace}?",
    unsubscribeAllQuestion: "Quer deixar de receber mensagens de {workspace}?",
    unsubscribed: "A sua inscrição foi cancelada.",
    preferences: "As suas preferências",
    preferencesHint: "Escolha o que quer receber de {workspace}.",
    save: "Guardar",
    saved: "A sua escolha foi guardada.",
    unsubscribeAll: "Cancelar todas as inscrições",
    gone: "Este link já não funciona",
    goneHint: "Está incompleto ou expirou. Use o link de uma mensagem mais recente.",
  },
  nl: {
    unsubscribe: "Afmelden",
    unsubscribeQuestion: "Wilt u “{topic}” van {workspace} niet meer ontvangen?",
    unsubscribeAllQuestion: "Wilt u geen berichten van {workspace} meer ontvangen?",
    unsubscribed: "U bent afgemeld.",
    preferences: "Uw voorkeuren",
    preferencesHint: "Kies wat u van {workspace} wilt ontvangen.",
    save: "Opslaan",
    saved: "Uw keuze is opgeslagen.",
    unsubscribeAll: "Afmelden voor alles",
    gone: "Deze link werkt niet meer",
    goneHint: "Hij is onvolledig of verlopen. Gebruik de link in een nieuwer bericht.",
  },
  pl: {
    unsubscribe: "Wypisz się",
    unsubscribeQuestion: "Nie chcesz już otrzymywać „{topic}” od {workspace}?",
    unsubscribeAllQuestion: "Nie chcesz już otrzymywać wiadomości od {workspace}?",
    unsubscribed: "Subskrypcja została anulowana.",
    preferences: "Twoje preferencje",
    preferencesHint: "Wybierz, co chcesz otrzymywać od {workspace}.",
    save: "Zapisz",
    saved: "Twój wybór został zapisany.",
    unsubscribeAll: "Wypisz się ze wszystkiego",
    gone: "Ten link już nie działa",
    goneHint: "Jest niepełny lub wygasł. Użyj linku z nowszej wiadomości.",
  },
  ja: {
    unsubscribe: "配信を停止する",
    unsubscribeQuestion: "{workspace} からの「{topic}」の配信を停止しますか?",
    unsubscribeAllQuestion: "{workspace} からのメッセージの配信を停止しますか?",
    unsubscribed: "配信を停止しました。",
    preferences: "配信設定",
    preferencesHint: "{workspace} から受け取る内容を選んでください。",
    save: "保存",
    saved: "設定を保存しました。",
    unsubscribeAll: "すべての配信を停止する",
    gone: "このリンクは使えなくなりました",
    goneHint:
      "リンクが不完全か、有効期限が切れています。新しいメッセージのリンクをご利用ください。",
  },
  ar: {
    unsubscribe: "إلغاء الاشتراك",
    unsubscribeQuestion: "هل تريد التوقف عن تلقي «{topic}» من {workspace}؟",
    unsubscribeAllQuestion: "هل تريد التوقف عن تلقي الرسائل من {workspace}؟",
    unsubscribed: "تم إلغاء اشتراكك.",
    preferences: "تفضيلاتك",
    preferencesHint: "اختر ما تريد تلقيه من {workspace}.",
    save: "حفظ",
    saved: "تم حفظ اختيارك.",
    unsubscribeAll: "إلغاء كل الاشتراكات",
    gone: "لم يعد هذا الرابط يعمل",
    goneHint: "الرابط غير مكتمل أو انتهت صلاحيته. استخدم الرابط الموجود في رسالة أحدث.",
  },
};

const rightToLeft: ReadonlySet<string> = new Set(["ar"]);

/** A language of the pages. */
export interface PageLanguage {
  /** Language tag, such as `de`. */
  lang: string;
  dir: "ltr" | "rtl";
  texts: PageTexts;
}

/**
 * Picks the language of a page: the customer's locale, else the first language of `Accept-Language`
 * that has texts, else English.
 */
export function pickLanguage(
  locale: string | null,
  acceptLanguage: string | undefined,
): PageLanguage {
  const accepted = (acceptLanguage ?? "").slice(0, 500).split(",").map((part) => {
    const [tag = "", quality = "q=1"] = part.split(";").map((each) => each.trim());
    return { tag, quality: Number(quality.replace(/^q=/, "")) || 0 };
  }).sort((a, b) => b.quality - a.quality).map(({ tag }) => tag);
  const lang = [locale ?? "", ...accepted].map((tag) => tag.split(/[-_]/)[0]!.toLowerCase())
    .find((tag) => Object.hasOwn(pageTexts, tag)) ?? "en";
  return { lang, dir: rightToLeft.has(lang) ? "rtl" : "ltr", texts: pageTexts[lang]! };
}

/** Replaces the placeholders of a text. */
export function fillText(text: string, names: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
}
