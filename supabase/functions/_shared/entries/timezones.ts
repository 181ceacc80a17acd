/**
 * Time zones: the canonical IANA name of each, then its other names, ";" between two zones. Names
 * of one zone in two countries stay apart. From Unicode CLDR 48.2, file `bcp47/timezone`, under
 * the license in `timezones_license.txt`.
 */
const zones = `
Africa/Abidjan; Africa/Accra; Africa/Addis_Ababa; Africa/Algiers; Africa/Asmara Africa/Asmera;
Africa/Bamako Africa/Timbuktu; Africa/Bangui; Africa/Banjul; Africa/Bissau; Africa/Blantyre;
Africa/Brazzaville; Africa/Bujumbura; Africa/Cairo Egypt; Africa/Casablanca; Africa/Ceuta;
Africa/Conakry; Africa/Dakar; Africa/Dar_es_Salaam; Africa/Djibouti; Africa/Douala;
Africa/El_Aaiun; Africa/Freetown; Africa/Gaborone; Africa/Harare; Africa/Johannesburg;
Africa/Juba; Africa/Kampala; Africa/Khartoum; Africa/Kigali; Africa/Kinshasa; Africa/Lagos;
Africa/Libreville; Africa/Lome; Africa/Luanda; Africa/Lubumbashi; Africa/Lusaka; Africa/Malabo;
Africa/Maputo; Africa/Maseru; Africa/Mbabane; Africa/Mogadishu; Africa/Monrovia; Africa/Nairobi;
Africa/Ndjamena; Africa/Niamey; Africa/Nouakchott; Africa/Ouagadougou; Africa/Porto-Novo;
Africa/Sao_Tome; Africa/Tripoli Libya; Africa/Tunis; Africa/Windhoek;
America/Adak America/Atka US/Aleutian; America/Anchorage US/Alaska; America/Anguilla;
America/Antigua; America/Araguaina; America/Argentina/Buenos_Aires America/Buenos_Aires;
America/Argentina/Catamarca America/Catamarca America/Argentina/ComodRivadavia;
America/Argentina/Cordoba America/Cordoba America/Rosario;
America/Argentina/Jujuy America/Jujuy; America/Argentina/La_Rioja;
America/Argentina/Mendoza America/Mendoza; America/Argentina/Rio_Gallegos;
America/Argentina/Salta; America/Argentina/San_Juan; America/Argentina/San_Luis;
America/Argentina/Tucuman; America/Argentina/Ushuaia; America/Aruba; America/Asuncion;
America/Atikokan America/Coral_Harbour; America/Bahia; America/Bahia_Banderas; America/Barbados;
America/Belem; America/Belize; America/Blanc-Sablon; America/Boa_Vista; America/Bogota;
America/Boise; America/Cambridge_Bay; America/Campo_Grande; America/Cancun; America/Caracas;
America/Cayenne; America/Cayman; America/Chicago US/Central CST6CDT; America/Chihuahua;
America/Ciudad_Juarez; America/Costa_Rica; America/Coyhaique; America/Creston; America/Cuiaba;
America/Curacao; America/Danmarkshavn; America/Dawson; America/Dawson_Creek;
America/Denver America/Shiprock Navajo US/Mountain MST7MDT; America/Detroit US/Michigan;
America/Dominica; America/Edmonton Canada/Mountain America/Yellowknife; America/Eirunepe;
America/El_Salvador; America/Fort_Nelson; America/Fortaleza; America/Glace_Bay;
America/Goose_Bay; America/Grand_Turk; America/Grenada; America/Guadeloupe; America/Guatemala;
America/Guayaquil; America/Guyana; America/Halifax Canada/Atlantic; America/Havana Cuba;
America/Hermosillo;
America/Indiana/Indianapolis America/Indianapolis America/Fort_Wayne US/East-Indiana;
America/Indiana/Knox America/Knox_IN US/Indiana-Starke; America/Indiana/Marengo;
America/Indiana/Petersburg; America/Indiana/Tell_City; America/Indiana/Vevay;
America/Indiana/Vincennes; America/Indiana/Winamac; America/Inuvik;
America/Iqaluit America/Pangnirtung; America/Jamaica Jamaica; America/Juneau;
America/Kentucky/Louisville America/Louisville; America/Kentucky/Monticello; America/Kralendijk;
America/La_Paz; America/Lima; America/Los_Angeles US/Pacific US/Pacific-New PST8PDT;
America/Lower_Princes; America/Maceio; America/Managua; America/Manaus Brazil/West;
America/Marigot; America/Martinique; America/Matamoros; America/Mazatlan Mexico/BajaSur;
America/Menominee; America/Merida; America/Metlakatla; America/Mexico_City Mexico/General;
America/Miquelon; America/Moncton; America/Monterrey; America/Montevideo; America/Montserrat;
America/Nassau; America/New_York US/Eastern EST5EDT; America/Nome;
America/Noronha Brazil/DeNoronha; America/North_Dakota/Beulah; America/North_Dakota/Center;
America/North_Dakota/New_Salem; America/Nuuk America/Godthab; America/Ojinaga;
America/Panama EST; America/Paramaribo; America/Phoenix US/Arizona MST; America/Port-au-Prince;
America/Port_of_Spain; America/Porto_Velho; America/Puerto_Rico; America/Punta_Arenas;
America/Rankin_Inlet; America/Recife;
America/Regina Canada/East-Saskatchewan Canada/Saskatchewan; America/Resolute;
America/Rio_Branco America/Porto_Acre Brazil/Acre; America/Santarem;
America/Santiago Chile/Continental; America/Santo_Domingo; America/Sao_Paulo Brazil/East;
America/Scoresbysund; America/Sitka; America/St_Barthelemy;
America/St_Johns Canada/Newfoundland; America/St_Kitts; America/St_Lucia;
America/St_Thomas America/Virgin; America/St_Vincent; America/Swift_Current;
America/Tegucigalpa; America/Thule;
America/Tijuana America/Ensenada Mexico/BajaNorte America/Santa_Isabel;
America/Toronto America/Montreal Canada/Eastern America/Nipigon America/Thunder_Bay;
America/Tortola; America/Vancouver Canada/Pacific; America/Whitehorse Canada/Yukon;
America/Winnipeg Canada/Central America/Rainy_River; America/Yakutat; Antarctica/Casey;
Antarctica/Davis; Antarctica/DumontDUrville; Antarctica/Macquarie; Antarctica/Mawson;
Antarctica/McMurdo Antarctica/South_Pole; Antarctica/Palmer; Antarctica/Rothera;
Antarctica/Syowa; Antarctica/Troll; Antarctica/Vostok; Arctic/Longyearbyen Atlantic/Jan_Mayen;
Asia/Aden; Asia/Almaty; Asia/Amman; Asia/Anadyr; Asia/Aqtau; Asia/Aqtobe;
Asia/Ashgabat Asia/Ashkhabad; Asia/Atyrau; Asia/Baghdad; Asia/Bahrain; Asia/Baku; Asia/Bangkok;
Asia/Barnaul; Asia/Beirut; Asia/Bishkek; Asia/Brunei; Asia/Chita; Asia/Colombo; Asia/Damascus;
Asia/Dhaka Asia/Dacca; Asia/Dili; Asia/Dubai; Asia/Dushanbe; Asia/Famagusta; Asia/Gaza;
Asia/Hebron; Asia/Ho_Chi_Minh Asia/Saigon; Asia/Hong_Kong Hongkong; Asia/Hovd; Asia/Irkutsk;
Asia/Jakarta; Asia/Jayapura; Asia/Jerusalem Asia/Tel_Aviv Israel; Asia/Kabul; Asia/Kamchatka;
Asia/Karachi; Asia/Kathmandu Asia/Katmandu; Asia/Khandyga; Asia/Kolkata Asia/Calcutta;
Asia/Krasnoyarsk; Asia/Kuala_Lumpur; Asia/Kuching; Asia/Kuwait; Asia/Macau Asia/Macao;
Asia/Magadan; Asia/Makassar Asia/Ujung_Pandang; Asia/Manila; Asia/Muscat;
Asia/Nicosia Europe/Nicosia; Asia/Novokuznetsk; Asia/Novosibirsk; Asia/Omsk; Asia/Oral;
Asia/Phnom_Penh; Asia/Pontianak; Asia/Pyongyang; Asia/Qatar; Asia/Qostanay; Asia/Qyzylorda;
Asia/Riyadh; Asia/Sakhalin; Asia/Samarkand; Asia/Seoul ROK;
Asia/Shanghai Asia/Chongqing Asia/Chungking Asia/Harbin PRC; Asia/Singapore Singapore;
Asia/Srednekolymsk; Asia/Taipei ROC; Asia/Tashkent; Asia/Tbilisi; Asia/Tehran Iran;
Asia/Thimphu Asia/Thimbu; Asia/Tokyo Japan; Asia/Tomsk;
Asia/Ulaanbaatar Asia/Ulan_Bator Asia/Choibalsan; Asia/Urumqi Asia/Kashgar; Asia/Ust-Nera;
Asia/Vientiane; Asia/Vladivostok; Asia/Yakutsk; Asia/Yangon Asia/Rangoon; Asia/Yekaterinburg;
Asia/Yerevan; Atlantic/Azores; Atlantic/Bermuda; Atlantic/Canary; Atlantic/Cape_Verde;
Atlantic/Faroe Atlantic/Faeroe; Atlantic/Madeira; Atlantic/Reykjavik Iceland;
Atlantic/South_Georgia; Atlantic/St_Helena; Atlantic/Stanley;
Australia/Adelaide Australia/South; Australia/Brisbane Australia/Queensland;
Australia/Broken_Hill Australia/Yancowinna; Australia/Darwin Australia/North; Australia/Eucla;
Australia/Hobart Australia/Tasmania Australia/Currie; Australia/Lindeman;
Australia/Lord_Howe Australia/LHI; Australia/Melbourne Australia/Victoria;
Australia/Perth Australia/West; Australia/Sydney Australia/ACT Australia/Canberra Australia/NSW;
Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich; Etc/GMT+1;
Etc/GMT+10; Etc/GMT+11; Etc/GMT+12; Etc/GMT+2; Etc/GMT+3; Etc/GMT+4; Etc/GMT+5; Etc/GMT+6;
Etc/GMT+7; Etc/GMT+8; Etc/GMT+9; Etc/GMT-1; Etc/GMT-10; Etc/GMT-11; Etc/GMT-12; Etc/GMT-13;
Etc/GMT-14; Etc/GMT-2; Etc/GMT-3; Etc/GMT-4; Etc/GMT-5; Etc/GMT-6; Etc/GMT-7; Etc/GMT-8;
Etc/GMT-9; Etc/UTC Etc/UCT Etc/Universal Etc/Zulu UCT UTC Universal Zulu; Europe/Amsterdam;
Europe/Andorra; Europe/Astrakhan; Europe/Athens EET; Europe/Belgrade; Europe/Berlin;
Europe/Bratislava; Europe/Brussels CET MET; Europe/Bucharest; Europe/Budapest; Europe/Busingen;
Europe/Chisinau Europe/Tiraspol; Europe/Copenhagen; Europe/Dublin Eire; Europe/Gibraltar;
Europe/Guernsey; Europe/Helsinki; Europe/Isle_of_Man; Europe/Istanbul Asia/Istanbul Turkey;
Europe/Jersey; Europe/Kaliningrad; Europe/Kirov;
Europe/Kyiv Europe/Kiev Europe/Zaporozhye Europe/Uzhgorod; Europe/Lisbon Portugal WET;
Europe/Ljubljana; Europe/London Europe/Belfast GB GB-Eire; Europe/Luxembourg; Europe/Madrid;
Europe/Malta; Europe/Mariehamn; Europe/Minsk; Europe/Monaco; Europe/Moscow W-SU; Europe/Oslo;
Europe/Paris; Europe/Podgorica; Europe/Prague; Europe/Riga; Europe/Rome; Europe/Samara;
Europe/San_Marino; Europe/Sarajevo; Europe/Saratov; Europe/Simferopol; Europe/Skopje;
Europe/Sofia; Europe/Stockholm; Europe/Tallinn; Europe/Tirane; Europe/Ulyanovsk; Europe/Vaduz;
Europe/Vatican; Europe/Vienna; Europe/Vilnius; Europe/Volgograd; Europe/Warsaw Poland;
Europe/Zagreb; Europe/Zurich; Indian/Antananarivo; Indian/Chagos; Indian/Christmas;
Indian/Cocos; Indian/Comoro; Indian/Kerguelen; Indian/Mahe; Indian/Maldives; Indian/Mauritius;
Indian/Mayotte; Indian/Reunion; Pacific/Apia; Pacific/Auckland NZ; Pacific/Bougainville;
Pacific/Chatham NZ-CHAT; Pacific/Chuuk Pacific/Truk Pacific/Yap;
Pacific/Easter Chile/EasterIsland; Pacific/Efate; Pacific/Fakaofo; Pacific/Fiji;
Pacific/Funafuti; Pacific/Galapagos; Pacific/Gambier; Pacific/Guadalcanal; Pacific/Guam;
Pacific/Honolulu US/Hawaii Pacific/Johnston HST; Pacific/Kanton Pacific/Enderbury;
Pacific/Kiritimati; Pacific/Kosrae; Pacific/Kwajalein Kwajalein; Pacific/Majuro;
Pacific/Marquesas; Pacific/Midway; Pacific/Nauru; Pacific/Niue; Pacific/Norfolk; Pacific/Noumea;
Pacific/Pago_Pago Pacific/Samoa US/Samoa; Pacific/Palau; Pacific/Pitcairn;
Pacific/Pohnpei Pacific/Ponape; Pacific/Port_Moresby; Pacific/Rarotonga; Pacific/Saipan;
Pacific/Tahiti; Pacific/Tarawa; Pacific/Tongatapu; Pacific/Wake; Pacific/Wallis
`;

const canonicalNames: ReadonlyMap<string, string> = new Map(
  zones.split(";").flatMap((zone) => {
    const names = zone.trim().split(" ");
    return names.map((name) => [name.toLowerCase(), names[0]!] as const);
  }),
);

/** The canonical name of a time zone, from any of its IANA names in any case; undefined if unknown. */
export function canonicalTimezone(name: string): string | undefined {
  return canonicalNames.get(name.toLowerCase());
}
