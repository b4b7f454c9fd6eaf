# Zgłoszenia: co się stało, co zrobić i co wiedzieć. Zdania bez kropki: mogą po nich następować artykuły Przepisów.

# -- Co się stało

item-illegal-move = { $by } zakończyły nieprawidłowe posunięcie { $move }
item-illegal-move-seen = sędzia zauważył nieprawidłowe posunięcie { $by-gen }: { $move }
item-illegal-move-seen-no-board = sędzia zauważył nieprawidłowe posunięcie { $by-gen }
item-two-hands = { $by } wykonały jedno posunięcie dwiema rękami i przełączyły zegar
item-two-hands-as-well = ponadto posunięcie wykonano dwiema rękami; razem liczy się to jako jedno nieprawidłowe posunięcie
item-press-without-move = { $by } przełączyły zegar, nie wykonawszy posunięcia
item-offence-stands = { $foe } wykonały już następne posunięcie, więc nieprawidłowe posunięcie pozostaje w mocy

item-flag = opadła chorągiewka { $by-gen }: zegar wskazuje 0:00
item-flag-missing = opadła chorągiewka { $by-gen }; do kontroli czasu w okresie { $period } { $n ->
    [one] brakuje { $n } posunięcia
   *[other] brakuje { $n } posunięć
}
item-flag-unordered-before = szachownica pokazuje pozycję kończącą partię, zauważoną { $time-acc } przed opadnięciem chorągiewki; czasy szachownicy i zegara mogą się różnić o { $apart-acc }, więc kolejność nie jest znana
item-flag-unordered-after = szachownica pokazuje pozycję kończącą partię, zauważoną { $time-acc } po opadnięciu chorągiewki; czasy szachownicy i zegara mogą się różnić o { $apart-acc }, więc kolejność nie jest znana
item-flag-other-first = opadła też chorągiewka { $foe-gen }, i to wcześniej
item-flag-other-later = opadła też chorągiewka { $foe-gen }, lecz po chorągiewce { $by-gen }
item-flags-unknown = opadły obie chorągiewki i nie można ustalić, która była pierwsza
item-flag-passed = upłynął czas { $by-gen } na okres { $period }; do kontroli { $n ->
    [one] brakuje { $n } posunięcia
   *[other] brakuje { $n } posunięć
}, zegar dodał czas następnego okresu i chodzi dalej

item-absent = { $by } nie stawiły się przy szachownicy przed upływem dopuszczalnego czasu spóźnienia ({ $time })
item-absent-at-start = { $by } nie były obecne przy szachownicy w chwili rozpoczęcia rundy; dopuszczalny czas spóźnienia wynosi zero
item-absent-both = żaden z zawodników nie stawił się przy szachownicy przed upływem dopuszczalnego czasu spóźnienia ({ $time })
item-absent-both-at-start = żaden z zawodników nie był obecny przy szachownicy w chwili rozpoczęcia rundy; dopuszczalny czas spóźnienia wynosi zero

item-claim-threefold = { $by } reklamują remis: pozycja na szachownicy powstała co najmniej po raz trzeci
item-claim-threefold-intends = { $by } reklamują remis: po zamierzonym posunięciu { $move } pozycja powstałaby co najmniej po raz trzeci
item-claim-fifty-moves = { $by } reklamują remis: obie strony wykonały po pięćdziesiąt posunięć bez bicia i bez ruchu pionem
item-claim-fifty-moves-intends = { $by } reklamują remis: z zamierzonym posunięciem { $move } będzie po pięćdziesiąt posunięć bez bicia i bez ruchu pionem
item-claim-quickplay = { $by } reklamują remis, ponieważ przeciwnik nie może wygrać normalnymi środkami lub nie próbuje tego robić
item-ask-increment = { $by } mają mniej niż dwie minuty i proszą o wprowadzenie dodatku czasu dla obu stron
item-claim-flag = { $by } reklamują opadnięcie chorągiewki przeciwnika; według obliczeń na tym zegarze jest jeszcze czas
item-claim-illegal-move = { $by } reklamują nieprawidłowe posunięcie przeciwnika; w zapisie nie ma takiego, na które można by jeszcze zareagować

first-position = pozycja początkowa
claim-right-threefold = według zapisu reklamacja jest słuszna: { $n ->
    [one] { $n } raz
   *[other] { $n } razy
}, { $moves }
claim-wrong-threefold = według zapisu reklamacja nie jest słuszna: pozycja powstała tylko { $n ->
    [one] { $n } raz
   *[other] { $n } razy
}, { $moves }
claim-right-fifty-moves = według zapisu reklamacja jest słuszna: po { $n ->
    [one] { $n } posunięciu
    [few] { $n } posunięcia
   *[other] { $n } posunięć
} obu stron od { $move }
claim-right-fifty-moves-all = według zapisu reklamacja jest słuszna: po { $n ->
    [one] { $n } posunięciu
    [few] { $n } posunięcia
   *[other] { $n } posunięć
} obu stron od początku zapisu
claim-wrong-fifty-moves = według zapisu reklamacja nie jest słuszna: tylko po { $n ->
    [one] { $n } posunięciu
    [few] { $n } posunięcia
   *[other] { $n } posunięć
} obu stron od { $move }
claim-wrong-fifty-moves-all = według zapisu reklamacja nie jest słuszna: tylko po { $n ->
    [one] { $n } posunięciu
    [few] { $n } posunięcia
   *[other] { $n } posunięć
} obu stron od początku zapisu
claim-not-on-move = reklamacja nie jest słuszna: { $by } nie są na posunięciu
claim-touched = reklamacja nie jest słuszna: { $by } w tym posunięciu już dotknęły bierki
claim-intended-illegal = reklamacja nie jest słuszna: zamierzone posunięcie jest nieprawidłowe
claim-intended-starts-anew = reklamacja nie jest słuszna: zamierzone posunięcie to bicie lub ruch pionem
claim-no-record = brak zapisu, na którym można by sprawdzić reklamację

quickplay-for-the-arbiter = reklamacja jest dopuszczalna; czy { $foe } mogą wygrać normalnymi środkami i czy próbują, ocenia sędzia
quickplay-increment-asked = prośba jest dopuszczalna: { $by } są na posunięciu, a za posunięcia nie dodaje się czasu
quickplay-cannot-be-won = { $foe } nie mogą zamatować żadną serią prawidłowych posunięć
quickplay-not-announced = Wytycznych nie zapowiedziano w tym turnieju
quickplay-no-finish = to nie jest szybki finisz: za posunięcia dodawany jest czas, następuje kolejny okres albo są to szachy błyskawiczne
quickplay-not-on-move = { $by } nie są na posunięciu
quickplay-time-left = { $by } mają jeszcze dwie minuty lub więcej
quickplay-too-late = chorągiewka { $by-gen } opadła wcześniej

item-call = { $by } zatrzymały zegar, aby wezwać sędziego
item-call-by-somebody = zegar zatrzymano, aby wezwać sędziego
item-board-disagrees = żadne posunięcie nie wyjaśnia tego, co stało na szachownicy w chwili przełączenia zegara; szachownica i zapis różnią się na { $squares }
square-seen = { $square }: według zapisu { $record }, na szachownicy { $board }
square-empty = puste pole
square-taken = jakaś bierka
piece-of = { $piece } { $side-gen }
item-promotion = pion został zamieniony, { $move }, lecz szachownica nie rozpoznaje nowej figury; w zapisie na razie { $piece }
item-illegal-position = pozycja na szachownicy nie mogła powstać w wyniku prawidłowych posunięć
item-colours-reversed = partię rozpoczęto z zamienionymi kolorami; czarne wykonały { $n ->
    [one] { $n } posunięcie
    [few] { $n } posunięcia
   *[other] { $n } posunięć
}
item-wrong-setup = pozycja początkowa bierek była błędna; każdy z zawodników zakończył { $n ->
    [one] { $n } posunięcie
    [few] { $n } posunięcia
   *[other] { $n } posunięć
}
item-wrong-clock = zegar jest błędnie ustawiony
item-sides-exchanged = pierwsze naciśnięcia przyszły ze strony, której zegar nie chodzi: lewa i prawa strona zegara są zamienione albo gracze siedzą odwrotnie
item-device = u zawodnika ({ $by }) znaleziono urządzenie elektroniczne na terenie rozgrywek
item-device-somebody = na terenie rozgrywek znaleziono urządzenie elektroniczne
item-result-signal = zawodnicy pokazują wynik przy stoliku: { $result }
item-result-entered = { $by } wprowadziły na zegarze wynik { $result }, a przeciwnik jeszcze żadnego
item-result-entered-both = na zegarze białe wprowadziły { $white }, czarne { $black }
item-late-news = spóźniona wiadomość dotyczy decyzji już podjętej w sprawie zgłoszenia { $number } ({ $kind }): z nią zaproponowano by inną decyzję
item-adjusted-at-table = zegar na stoliku wskazuje: białe { $white-shown }, czarne { $black-shown }; według obliczeń było: białe { $white-count }, czarne { $black-count }
item-adjusted-running = na zegarze { $shown }, według obliczeń { $counted }
clock-runs = biegnie czas { $side-gen }
clocks-stand = oba zegary stoją
item-order-unknown = w chwili przełączenia zegara szachownica wskazywała prawidłowe posunięcie, a w odstępie { $time-gen } coś innego; na podstawie czasów szachownicy i zegara nie wiadomo, po czym go przełączono
item-moves-missing = zegar przełączono, a protokolant nawet po minucie nie wprowadził posunięcia; nie świadczy to w niczym przeciw zawodnikowi
item-reports-lost = bezpowrotnie { $n ->
    [one] utracono { $n } meldunek
    [few] utracono { $n } meldunki
   *[other] utracono { $n } meldunków
} urządzenia z tego stolika: w zapisie może brakować posunięć lub przełączeń zegara
item-silent-device = urządzenie { $device } od pewnego czasu się nie odzywa
item-clock-renewed = zegar { $device } wstawiono w trakcie partii albo stracił on ustawienia i otrzymał: białe { $white }, czarne { $black }
item-clock-not-renewed = zegar { $device } wstawiono w trakcie partii albo stracił on ustawienia i nie przyjmuje: białe { $white }, czarne { $black }
item-clock-fast = zegar { $device } spieszy się o { $percent } %: w ciągu { $over } wyprzedził czas o { $time-acc }
item-clock-slow = zegar { $device } spóźnia się o { $percent } %: w ciągu { $over } opóźnił się o { $time-acc }
item-clock-leapt-ahead = czas zegara { $device } przeskoczył do przodu o { $time-acc }
item-clock-leapt-back = czas zegara { $device } cofnął się skokiem o { $time-acc }
item-by-hand = system nie może już prowadzić tej partii: { $reason }

# -- Co zrobić

step-stop = zatrzymać zegar
step-taken-back = cofa się posunięcia: { $moves }
step-put-back = przywrócić pozycję: { $pieces }
step-put-back-no-board = przywrócić pozycję sprzed nieprawidłowego posunięcia; na stoliku nie ma szachownicy elektronicznej, więc system jej nie zna
piece-moves-back = { $piece } { $from } → { $to }
piece-comes-back = { $piece } z powrotem na { $to }
piece-goes-off = { $piece } z { $from } zdjąć z szachownicy
piece-stays = { $piece }
step-queen = postawić na { $square } hetmana zamiast piona; posunięcie pozostaje, prawo wyboru figury przepadło
step-penalty = { $foe-dat } dodać { $time-acc }
step-increment = { $by-dat } odjąć { $time-acc } dodatku za to przełączenie zegara
step-times = zegar: { $times }
time-set = { $side } { $before } → { $after }
time-change = { $side } { $change }
step-must-move = { $by } muszą wykonać posunięcie dotkniętą bierką: { $piece } na { $square } – { $moves }
step-must-capture = { $by } muszą zbić dotkniętą bierkę: { $piece } na { $square } – { $moves }
step-must-play = { $by } muszą zagrać { $moves }
step-any-move = { $by } mogą wykonać dowolne prawidłowe posunięcie: dotkniętą bierką nie można ani zagrać, ani jej zbić
step-has-the-move = na posunięciu są { $by }
step-run = uruchomić zegar { $by-gen }
step-end = partia kończy się wynikiem { $result }: { $ending }
step-wait = poczekać na zakończenie następnego posunięcia; jeśli pozycja nadal będzie nieprawidłowa, partia kończy się remisem
step-claim-refused = reklamację oddala się; { $foe-dat } dodać { $time-acc }, gra toczy się dalej
step-new-game = unieważnić partię i rozpocząć nową od prawidłowej pozycji początkowej, z pełnym czasem
step-new-game-colours = przerwać partię i rozpocząć nową z właściwymi kolorami i pełnym czasem
step-stop-clocks = zatrzymać zegar, zanotować oba czasy i ustawić go prawidłowo według najlepszej oceny
step-promoted = podać, jaka to naprawdę figura; jeśli { $piece }, wystarczy potwierdzić
step-take-reading = obowiązuje czas z zegara: białe { $white }, czarne { $black }; dopisać, skąd się wziął
step-offence-stands = niczego się nie robi: poprawić posunięcie mogą już tylko obaj zawodnicy za obopólną zgodą
step-claim-flag = spojrzeć na zegar: jeśli chorągiewka opadła, wprowadzić to jako zauważone; w przeciwnym razie reklamację oddala się i nic się nie zmienia
step-claim-illegal-move = spojrzeć na pozycję: jeśli posunięcie było nieprawidłowe, wprowadzić to jako zauważone; w przeciwnym razie reklamację oddala się i nic się nie zmienia
step-claim-by-scoresheets = sprawdzić reklamację na zapisach razem z obydwoma zawodnikami; jeśli jest słuszna, wprowadzić wynik 1/2-1/2, w przeciwnym razie ukarać
step-call = podejść do stolika, ustalić przyczynę i ponownie uruchomić zegar
step-board-disagrees = spojrzeć na szachownicę: wprowadzić wykonane posunięcie albo kazać ustawić bierki na właściwych polach
step-colours-stay = partię kontynuuje się bez zmian; powiadomić sędziego głównego
step-setup-stays = partię kontynuuje się bez zmian
step-clock-stays = ustawienie zegara pozostaje, o ile nie ucierpi na tym program zawodów
step-sides-exchanged = sprawdź, po której stronie zegara siedzą białe; jeśli lewa i prawa strona są zamienione, zamień je przy tym stole, w przeciwnym razie odrzuć
step-late-news = decyzja pozostaje w mocy; proszę ją zmienić, jeśli ustalenia są inne
step-reports-lost = porównać szachownicę z zapisem i wprowadzić to, czego brakuje
step-silent-device = sprawdzić urządzenie; bez niego rozstrzygać według zegara na stoliku
step-clock-renewed = sprawdzić, czy zegar wskazuje te czasy, pomniejszone o to, co od tej pory upłynęło, oraz czy ma ustawione tempo
step-clock-not-renewed = ustawić na zegarze ręcznie tempo i czasy
step-device = ustalić, czyje to urządzenie, i podjąć decyzję
step-illegal-position = ustalić, jak powstała, i przywrócić ostatnią prawidłową pozycję
step-nothing = nic się nie zmienia
step-flag-order = ustalić, co było pierwsze, opadnięcie chorągiewki czy posunięcie kończące partię, i wprowadzić wynik
step-clock-time = wskazania zegara obowiązują; wymienić zegar i ustawić czasy według najlepszej oceny
step-quickplay = ogłosić remis, odłożyć decyzję albo oddalić reklamację i { $foe-dat } dodać { $time-acc }
step-introduce-increment = jeśli { $foe } odrzucą remis, a prośba jest zasadna: ustawić zegar tak, by każde posunięcie obu stron dodawało { $time-acc }
step-claim-void = reklamację oddala się; nic się nie zmienia
step-out-of-turn = uporządkować pozycję i zegar oraz, jeśli to słuszne, ukarać; nie liczy się to jako nieprawidłowe posunięcie
step-wait-for-irregularity = najpierw rozstrzygnąć nieprawidłowość stwierdzoną przed opadnięciem chorągiewki
step-flags-unknown = zdecydować, jak toczy się dalej partia: nie wiadomo, która chorągiewka opadła pierwsza
step-flag-other-first = rozstrzygnąć o drugiej chorągiewce, która opadła pierwsza
step-order-unknown = zapytać zawodników i wprowadzić wykonane posunięcie
step-moves-missing = niech protokolant nadrobi posunięcia albo wprowadzić brakujące z zapisu partii
step-reading-stands = obowiązuje czas z zegara; dopisać przyczynę albo poprawić go, jeśli zegar jest wadliwy lub był błędnie ustawiony
step-by-hand = prowadzić dalej ręcznie: zapisywać posunięcia i czasy, a na końcu wprowadzić wynik

# -- Co wiedzieć

note-count = nieprawidłowe posunięcia { $by-gen }, łącznie z tym: { $n }
note-window = reklamować je i interweniować można tylko do chwili, gdy { $foe } wykonają następne posunięcie
note-not-certain = jeszcze niepewne: nie dotarło wszystko, co zdarzyło się do tej chwili
note-certain = pewne: dotarło wszystko, co zdarzyło się do tej chwili
note-observed = reklamowane przez zawodnika lub zauważone przez sędziego
note-suspected = tylko podejrzenie: nie dotarło wszystko, co zdarzyło się do tej chwili, meldunek o przełączeniu zegara może być jeszcze w drodze
note-suspected-unheard = tylko podejrzenie: urządzenia tego stolika nie przysyłają meldunków
note-suspected-heard = tylko podejrzenie: znane jest tylko to, co było { $time-acc } wcześniej, meldunek o przełączeniu zegara może być jeszcze w drodze
note-suspected-not-shown = tylko podejrzenie: sam zegar nie wskazał opadnięcia chorągiewki
note-clock-bridged = posunięcie wykonywane w tej chwili policzono według czasu sali, a wszystko po nim według zegara
note-clock-counted = policzono tak, jak liczy zegar
note-flag-seen-only = zauważył sędzia; nie wiadomo dokładnie, kiedy opadła
note-flag-by-clock = opadnięcie chorągiewki wskazał sam zegar na stoliku
note-flag-no-board = na stoliku nie ma szachownicy elektronicznej: proszę sprawdzić, czy { $foe } mogą zamatować jakąkolwiek serią prawidłowych posunięć; jeśli nie, partia kończy się remisem
note-flag-scoresheets = najpierw zawodnicy uzupełniają zapisy: one rozstrzygają, ile posunięć zakończono
note-absent = sędzia może zdecydować inaczej
note-claim-is-offer = reklamacja jest zarazem propozycją remisu: jeśli { $foe } ją przyjmą, nie trzeba jej sprawdzać
note-claimed-right = zgłaszający podaje posunięcia { $moves }: według zapisu pozycja stała po każdym z nich
note-claimed-wrong = zgłaszający podaje posunięcia { $moves }; według zapisu pozycji nie było po { $wrong }
note-increment-is-offer = prośba jest zarazem propozycją remisu: jeśli { $foe } ją przyjmą, partia kończy się remisem
note-result-signal = przed potwierdzeniem proszę zapytać obu zawodników
note-by-material = nie zdołano na czas ustalić, czy mat jest możliwy; to tylko według materiału, ocena należy do sędziego

mate-on-board = { $foe } już zamatowały
mate-possible = { $foe } mogą jeszcze zamatować, na przykład w { $n ->
    [one] { $n } posunięciu
   *[other] { $n } posunięciach
}: { $moves }
mate-impossible = { $foe } nie mogą zamatować żadną serią prawidłowych posunięć: { $proof }
mate-searched-possible = { $foe } mogą jeszcze zamatować, co ustalono w głębszym przeszukiwaniu: { $evidence }
mate-searched-impossible = { $foe } nie mogą zamatować żadną serią prawidłowych posunięć, co ustalono w głębszym przeszukiwaniu: { $evidence }
mate-undecided-enough = nie zdołano na czas ustalić, czy { $foe } mogą jeszcze zamatować; materiału by wystarczyło, ocena należy do sędziego
mate-undecided-not-enough = nie zdołano na czas ustalić, czy { $foe } mogą jeszcze zamatować; materiału by nie wystarczyło, ocena należy do sędziego
proof-over = partia na szachownicy jest zakończona
proof-material = pozostałymi bierkami nie można zamatować w żadnej pozycji
proof-walled-in = bierki na { $squares } nie mogą się już ruszyć ani zostać zbite, a za nimi nie ma mata
proof-forced = wszystkie posunięcia są wymuszone i { $n ->
    [one] jedyna pozycja, która następuje, nie jest matem
   *[other] żadna z { $n } pozycji nie jest matem
}
proof-exhausted = { $n ->
    [one] jedyna pozycja, która może jeszcze powstać, nie jest matem
   *[other] żadna z { $n } pozycji, które mogą jeszcze powstać, nie jest matem
}
proof-second-opinion = pełne przeszukiwanie drugim programem nie znalazło mata
