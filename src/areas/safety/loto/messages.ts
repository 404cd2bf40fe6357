import { declareWords, messages } from '../../../kernel/messages.ts'

declareWords({
  pending: 'bekliyor',
  approved: 'onaylandı',
  rejected: 'reddedildi',
  applied: 'uygulandı',
  released: 'serbest bırakıldı',
})

export const LOTO_TEXTS = messages({
  LOTO_POINTS_NOT_DEAD: {
    en: 'not shown to be without energy: {findings}',
    tr: 'enerjisiz olduğu doğrulanamadı: {findings}',
  },
  LOTO_POINT_ENERGISED: { en: '{point} shows {values}', tr: '{point}: ölçülen {values}' },
  LOTO_POINT_NOT_READ: {
    en: '{point} has no fresh reading: verify it by hand',
    tr: '{point}: güncel ölçüm yok, elle doğrulayın',
  },
  LOTO_POINT_SILENT: {
    en: '{point} has no fresh reading since {since}: verify it by hand',
    tr: '{point}: {since:time} sonrasında ölçüm yok, elle doğrulayın',
  },
  LOTO_IN_PROGRESS: {
    en: 'locked out, people may be at work on it: {names}',
    tr: 'kilitli, üzerinde çalışanlar olabilir: {names}',
  },
  LOTO_LOCK_LIMIT_REACHED: {
    en: 'a session has at most {max} locks; begin another one',
    tr: 'bir oturumda en çok {max} kilit olabilir; yeni bir oturum başlatın',
  },
  LOTO_LOCK_OF_OTHER: {
    en: 'a lock is taken away by its owner, or by an admin with a reason',
    tr: 'kilidi yalnızca sahibi ya da gerekçesini belirten bir yönetici kaldırabilir',
  },
  LOTO_REASON_NEEDED: {
    en: "is needed to take away somebody else's lock",
    tr: 'başkasının kilidini kaldırmak için gereklidir',
  },
  LOTO_OWN_LOCK_EXISTS: { en: 'your lock hangs at this point already', tr: 'bu noktada zaten kilidiniz var' },
  LOTO_LOCK_NUMBER_EXISTS: {
    en: 'a lock with this number hangs in the session already',
    tr: 'bu numaralı bir kilit oturumda zaten takılı',
  },
  LOTO_POINT_IN_SESSION: {
    en: 'the point is in a session that is not over: {title}',
    tr: 'nokta, bitmemiş bir oturumda: {title}',
  },
  LOTO_POINT_NAME_EXISTS: {
    en: 'a LOTO point with this name exists in the subregion',
    tr: 'alt bölgede bu adla bir LOTO noktası var',
  },
  LOTO_POINTS_CHANGED: {
    en: 'the points of the session have changed meanwhile; look at them again',
    tr: 'oturumun noktaları bu arada değişti; yeniden inceleyin',
  },
  LOTO_POINTS_UNLOCKED: { en: 'no lock hangs at: {names}', tr: 'kilit takılmamış noktalar: {names}' },
  LOTO_REQUESTER_ONLY: {
    en: 'only the requester may change a session',
    tr: 'oturumu yalnızca talep eden kişi değiştirebilir',
  },
  LOTO_REQUESTER_APPROVES: {
    en: 'whoever asked for a session cannot approve it',
    tr: 'oturumu talep eden kişi onu onaylayamaz',
  },
  LOTO_LOCKS_HANGING: {
    en: 'the session cannot be {done} while locks hang there: {count}',
    tr: '{count} kilit takılıyken bu geçiş yapılamaz: {done:word}',
  },
  LOTO_SESSION_NOT_CHANGED: {
    en: 'the session is {status}: it cannot be {done}',
    tr: 'oturumun durumu {status:word}: bu geçiş yapılamaz: {done:word}',
  },
  LOTO_POINT_IN_APPLIED_SESSION: {
    en: 'a point of the session is in another session that is applied',
    tr: 'oturumun bir noktası, uygulanmış başka bir oturumda',
  },
})
