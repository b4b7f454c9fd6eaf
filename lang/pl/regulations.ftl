# Komunikat przed pierwszą rundą: do odczytania na głos, więc pełnymi zdaniami.

reg-heading-time = czas
reg-heading-illegal = nieprawidłowe posunięcia
reg-heading-claims = wezwanie sędziego, reklamacje i remis
reg-heading-phones = telefony
reg-heading-hall = szachownice i ekrany
reg-heading-house-rules = zasady szczególne turnieju
reg-heading-open-points = gdzie Przepisy pozostawiają wybór

reg-category = Gramy w { $category } według Przepisów gry FIDE obowiązujących od 1 stycznia 2023 r.
reg-supervision-adequate = Zapewniono odpowiedni nadzór nad partiami, dlatego w całości obowiązują Zasady rozgrywania turniejów.
reg-supervision-limited = Jeden sędzia nadzoruje kilka partii, dlatego nieprawidłowości trzeba reklamować samemu.
reg-rated = Partie są zgłaszane do oceny rankingowej.
reg-unrated = Partie nie są zgłaszane do oceny rankingowej.
reg-control = Każdy zawodnik ma { $periods }{ $bonus }.
reg-period-only = { $time-acc } na całą partię
reg-period-first = { $time-acc } na { $n ->
    [one] pierwsze posunięcie
    [few] pierwsze { $n } posunięcia
   *[other] pierwszych { $n } posunięć
}
reg-period-next = następnie { $time-acc } na { $n ->
    [one] kolejne posunięcie
    [few] kolejne { $n } posunięcia
   *[other] kolejnych { $n } posunięć
}
reg-period-last = następnie { $time-acc } do końca partii
reg-bonus-none = , bez dodatku za posunięcia
reg-bonus-increment = , z dodatkiem { $time-gen } na każde posunięcie
reg-bonus-delay = , a przy każdym posunięciu zegar czeka { $time-acc }, zanim zacznie biec czas zawodnika
reg-bonus-bronstein = , a po każdym posunięciu zwracany jest zużyty na nie czas, najwyżej { $time-acc }
reg-other-control = Na stolikach { $tables } tempo gry jest inne. { $control }
reg-first-increment = Dodatek za pierwsze posunięcie jest na zegarze od początku: zegar rusza od { $time }.
reg-no-first-increment = Przed pierwszym posunięciem dodatku nie ma: zegar rusza od { $time }.
reg-period-on-zero = Czas następnego okresu jest dodawany, gdy pierwszy z dwóch zegarów dojdzie do zera, a nie po wykonaniu wymaganych posunięć: posunięcia proszę liczyć samemu.
reg-period-on-moves = Czas następnego okresu jest dodawany na zegar zawodnika przy przełączeniu kończącym wymaganą liczbę posunięć; rozstrzyga jednak zapis partii, a nie zegar.
reg-default-zero = Kogo nie ma przy szachownicy w chwili ogłoszenia początku rundy, ten przegrywa partię, chyba że sędzia zdecyduje inaczej.
reg-default-time = Zegar białych biegnie od ogłoszonego początku rundy. Kto spóźni się więcej niż { $time-acc }, przegrywa partię, chyba że sędzia zdecyduje inaczej.
reg-record-always = Posunięcia trzeba zapisywać przez całą partię, bez względu na to, ile czasu pozostało.
reg-record-five-minutes = Posunięcia trzeba zapisywać, dopóki w danym okresie nie zostanie mniej niż pięć minut.
reg-record-free = Posunięć nie trzeba zapisywać.

reg-illegal-always = Nieprawidłowe posunięcie jest zakończone z chwilą przełączenia zegara. Poprawia się je, kiedykolwiek zostanie zauważone w trakcie partii, a dotkniętą bierką trzeba zagrać, jeśli to możliwe.
reg-illegal-limited = Nieprawidłowe posunięcie jest zakończone z chwilą przełączenia zegara. Poprawia się je tylko wtedy, gdy przeciwnik je zareklamuje lub sędzia zauważy, zanim przeciwnik wykona następne posunięcie; potem pozostaje w mocy. Aby reklamować, trzeba zatrzymać zegar i wezwać sędziego.
reg-illegal-penalty = Za pierwsze nieprawidłowe posunięcie przeciwnik otrzymuje dodatkowo { $time-acc }, a winnemu odejmuje się dodatek za to przełączenie zegara.
reg-illegal-second = Drugie nieprawidłowe posunięcie tego samego zawodnika powoduje przegraną; partia kończy się remisem, jeśli przeciwnik nie może zamatować żadną serią prawidłowych posunięć.
reg-illegal-also = Jako nieprawidłowe posunięcie liczy się także przełączenie zegara bez wykonania posunięcia, wykonanie posunięcia dwiema rękami oraz przełączenie zegara przed zamianą piona na ostatniej linii.

reg-call = Zegar wolno zatrzymać tylko po to, by wezwać sędziego, i tylko z uzasadnionej przyczyny.
reg-claim-draw = Remis z powodu trzykrotnego powtórzenia pozycji lub według reguły pięćdziesięciu posunięć można reklamować tylko wtedy, gdy jest się na posunięciu i nie dotknęło się bierki. Jeśli taka pozycja powstanie dopiero po własnym posunięciu, należy je zapisać, nie wykonując go, zatrzymać zegar i zgłosić reklamację sędziemu.
reg-claim-wrong = Reklamacji nie można wycofać; jeśli jest niesłuszna, przeciwnik otrzymuje dodatkowo { $time-acc }.
reg-claim-flag = Jeśli opadła chorągiewka przeciwnika, proszę zatrzymać zegar i wezwać sędziego.
reg-automatic-draws = Gdy pozycja powstanie pięć razy albo obie strony wykonają po 75 posunięć bez bicia i bez ruchu pionem, sędzia sam ogłasza remis.
reg-offer = Remis proponuje się tak: wykonać posunięcie, zaproponować remis i dopiero wtedy przełączyć zegar.
reg-draw-one-move = Remis można uzgodnić, gdy każdy z zawodników wykonał co najmniej jedno posunięcie.
reg-draw-minimum = Remisu nie wolno uzgodnić, zanim obaj zawodnicy wykonają { $n ->
    [one] { $n } posunięcie
    [few] { $n } posunięcia
   *[other] { $n } posunięć
}; nie dotyczy to reklamacji zgodnych z Przepisami.

reg-phones-approved = Telefony i tablety, które służą na stolikach jako zegar lub szachownica, należą do organizatora i są dopuszczone niniejszym regulaminem: wolno ich używać wyłącznie do własnej partii.

reg-boards-all = Na wszystkich stolikach są szachownice elektroniczne.
reg-boards-none = Na stolikach nie ma szachownic elektronicznych.
reg-boards-at = Szachownice elektroniczne są na stolikach { $tables }.
reg-screens-prove-nothing = To, co pokazują ekrany na sali, jest przeznaczone dla widzów: żadnej reklamacji nie można oprzeć tylko na tym.
reg-hub-alerts = System powiadamia sędziów, i tylko ich, o opadnięciu chorągiewki, zakończonym nieprawidłowym posunięciu, spóźnieniu, pięciokrotnym powtórzeniu pozycji i regule 75 posunięć.
reg-hub-is-silent = Zawodnikowi nigdy nie podpowiada, że nie przełączył zegara, ile posunięć zostało do kontroli czasu ani że można reklamować remis. To, czego zawodnik sam nie zareklamuje, może pozostać niezauważone.
reg-endings-at-once = Mat i pat pojawiają się na ekranach od razu.
reg-endings-later = Wynik ustalony przez system pojawia się na ekranach, gdy potwierdzi go sędzia.

reg-house-none = Nie ma takich: system o niczym nie decyduje, każdą decyzję podejmuje sędzia.
reg-house-some = Inaczej niż zwykle następujące decyzje są wykonywane od razu, na mocy tego regulaminu, bez czekania na sędziego. Od każdej z nich można się odwołać do sędziego.
house-illegal-move = Zakończone nieprawidłowe posunięcia zarejestrowane przez szachownicę: kara jest wymierzana od razu, a po drugim partia się kończy.
house-flag = Opadnięcie chorągiewki w ostatnim okresie kończy partię.
house-default = Zawodnik oznaczony jako nieobecny przegrywa partię po upływie dopuszczalnego czasu spóźnienia.

reg-open-points = W niektórych sprawach Przepisy milczą lub można je rozumieć dwojako. W tym turnieju:
point-blitz-supervised-penalty-one-minute = Nieprawidłowe posunięcie lub niesłuszna reklamacja remisu kosztuje jedną minutę.
point-blitz-supervised-penalty-two-minutes = Nieprawidłowe posunięcie lub niesłuszna reklamacja remisu kosztuje dwie minuty.
point-en-passant-identity-legal = Przy powtórzeniu pozycji bicie w przelocie liczy się tylko wtedy, gdy byłoby prawidłowe.
point-en-passant-identity-any-capturer = Przy powtórzeniu pozycji bicie w przelocie liczy się także wtedy, gdy pion jest związany.
point-imposed-queen-ends-the-game = Jeśli hetman postawiony przez sędziego zamiast niezamienionego piona daje mata lub pata, partia jest zakończona.
point-imposed-queen-arbiter-decides = Jeśli hetman postawiony przez sędziego zamiast niezamienionego piona daje mata lub pata, decyduje sędzia.
point-unpromoted-press-increment-taken-back = Kto przełączy zegar, nie zamieniwszy piona, traci dodatek za to przełączenie.
point-unpromoted-press-increment-kept = Kto przełączy zegar, nie zamieniwszy piona, zachowuje dodatek za to przełączenie.
point-unpunished-illegal-moves-do-not-count = Nieprawidłowe posunięcie, którego w porę nikt nie zareklamował ani nie zauważył, nie liczy się jako pierwsze.
point-unpunished-illegal-moves-count = Nieprawidłowe posunięcie, którego w porę nikt nie zareklamował ani nie zauważył, liczy się mimo to jako pierwsze.
point-moving-out-of-turn-illegal-move = Dwa posunięcia z rzędu albo posunięcie poza kolejnością, z przełączeniem zegara, to nieprawidłowe posunięcie.
point-moving-out-of-turn-arbiter-decides = Dwa posunięcia z rzędu albo posunięcie poza kolejnością nie liczą się jako nieprawidłowe posunięcie; sędzia przywraca pozycję i może ukarać.
point-alert-when-acknowledged = Sygnał systemu liczy się jako spostrzeżenie sędziego, gdy sędzia go przyjmie.
point-alert-own-eyes-only = Sygnał systemu nie liczy się jako spostrzeżenie sędziego.
point-alert-at-once = Sygnał systemu od razu liczy się jako spostrzeżenie sędziego.
point-freeze-both-stand = Gdy w ostatnim okresie opadnie chorągiewka, oba zegary stają.
point-freeze-runs-on = Gdy w ostatnim okresie opadnie chorągiewka, drugi zegar chodzi dalej.
point-flag-during-irregularity-each-by-itself = Jeśli chorągiewka opadnie podczas rozpatrywania nieprawidłowego posunięcia, rozstrzyga się o niej osobno.
point-flag-during-irregularity-irregularity-first = Jeśli chorągiewka opadnie podczas rozpatrywania nieprawidłowego posunięcia, najpierw rozstrzyga się o posunięciu.
point-fivefold-and-mate-mate = Jeśli to samo posunięcie daje mata i piąte powtórzenie, liczy się mat.
point-fivefold-and-mate-fivefold = Jeśli to samo posunięcie daje mata i piąte powtórzenie, partia kończy się remisem.
point-void-claim-penalised = Reklamacja remisu nie na swoim posunięciu lub po dotknięciu bierki jest karana jak niesłuszna.
point-void-claim-refused = Reklamacja remisu nie na swoim posunięciu lub po dotknięciu bierki jest oddalana bez kary.
point-unpressed-move-counts = Do pięćdziesięciu posunięć wlicza się ostatnie posunięcie przeciwnika, nawet jeśli nie przełączył zegara.
point-unpressed-move-waits = Do pięćdziesięciu posunięć ostatnie posunięcie przeciwnika wlicza się dopiero po przełączeniu zegara.
point-device-found-loss = Na terenie rozgrywek zawodnikowi nie wolno mieć przy sobie telefonu ani innego urządzenia elektronicznego. Jeśli zostanie znalezione, zawodnik przegrywa partię, a przeciwnik wygrywa.
point-device-found-arbiter-decides = Na terenie rozgrywek zawodnikowi nie wolno mieć przy sobie telefonu ani innego urządzenia elektronicznego. Jeśli zostanie znalezione, o karze decyduje sędzia.
point-both-absent-white = Jeśli na początku rundy nie ma obu zawodników, biegnie czas białych.
point-both-absent-nobody = Jeśli na początku rundy nie ma obu zawodników, żaden zegar nie chodzi, dopóki któryś nie przyjdzie.
point-quickplay-finish-not-announced = Wytyczne dla partii bez dodatku nie obowiązują: pod koniec partii nie można reklamować remisu z powodu braku prób wygrania ze strony przeciwnika.
point-quickplay-finish-announced = Obowiązują Wytyczne dla partii bez dodatku: mając mniej niż dwie minuty, można reklamować remis, jeśli przeciwnik nie może wygrać normalnymi środkami lub nie próbuje tego robić. Jeśli opadną obie chorągiewki i nie wiadomo, która była pierwsza, partia kończy się remisem.
point-quickplay-increment-claim-at-once = Remis reklamuje się od razu; nie można zamiast tego prosić o dodatek czasu.
point-quickplay-increment-asked-first = Zamiast reklamować, najpierw prosi się o dodatek pięciu sekund za każde posunięcie dla obu stron. Prośba jest propozycją remisu; jeśli przeciwnik ją odrzuci, a sędzia uwzględni, przeciwnik otrzymuje dodatkowy czas i partia toczy się dalej z dodatkiem.
point-quickplay-penalty-two-minutes = Gdy taka reklamacja zostanie oddalona lub taki dodatek wprowadzony, przeciwnik otrzymuje dodatkowo dwie minuty.
point-quickplay-penalty-one-minute = Gdy taka reklamacja zostanie oddalona lub taki dodatek wprowadzony, przeciwnik otrzymuje dodatkowo jedną minutę.
